// The messages of refusals about accounts, organizations, their people, keys and webhook endpoints.
import type { Sentences } from './fields.ts'

export const accountMessages: Sentences = {
  'A collaborator with the role {1} is not below your own role':
    'Um colaborador com o papel {1} não está abaixo do seu',
  'A role has {1} contacts at most': 'Um papel tem no máximo {1} contatos',
  'A webhook endpoint that is {1} gets nothing': 'Um endpoint de webhook com o status {1} não recebe nada',
  'A webhook endpoint that is {1} cannot become {2}': 'Um endpoint de webhook com o status {1} não pode passar a {2}',
  'An account has at most {1} passkeys; remove one first':
    'Uma conta tem no máximo {1} chaves de acesso; remova uma antes',
  'An account with this e-mail address exists already': 'Já existe uma conta com este endereço de e-mail',
  'An authenticator app is set up already; take it away first':
    'Já há um aplicativo autenticador configurado; remova-o antes',
  'Another account has this e-mail address already': 'Outra conta já tem este endereço de e-mail',
  'Another connection has the domain {1}': 'Outra conexão tem o domínio {1}',
  'Confirm your e-mail address before you invite others: by the link that was mailed, or by another one':
    'Confirme o seu e-mail antes de convidar outras pessoas: pelo link que foi enviado, ou por outro',
  'Events of this type are not used': 'Eventos deste tipo não são usados',
  'Members or invites have this role; give them another one first':
    'Há membros ou convites com este papel; dê outro a eles antes',
  'No authenticator app is being set up': 'Nenhum aplicativo autenticador está sendo configurado',
  'Only a collaborator of the organization can choose where its events are sent':
    'Somente um colaborador da organização pode escolher para onde vão os eventos dela',
  'Only a collaborator of the organization can do this, no API key':
    'Somente um colaborador da organização pode fazer isto, não uma chave de API',
  'Only a collaborator of the organization can make an API key':
    'Somente um colaborador da organização pode criar uma chave de API',
  'Only staff may give the role guest': 'Somente a equipe do fornecedor pode dar o papel guest',
  'Only the owner may transfer the organization': 'Somente o proprietário pode transferir a organização',
  'Only the person who entered, or an administrator, ends an entry':
    'Somente a pessoa que entrou, ou um administrador, encerra uma entrada',
  'Only who made the API key can rotate it; make one of your own instead':
    'Somente quem criou a chave de API pode trocá-la; crie uma sua',
  'Ownership changes by a transfer only': 'A propriedade só muda por transferência',
  'Sign in by the connection first; only then it can be required':
    'Entre primeiro pela conexão; só então ela pode ser exigida',
  'Sign in with a second factor of your own first; only then it can be required':
    'Entre primeiro com um segundo fator seu; só então ele pode ser exigido',
  'Still open: {1}': 'Ainda em aberto: {1}',
  'The access that it gives is over; change its end first': 'O acesso que ele dá já terminou; altere o fim dele antes',
  'The API key has the scope {1}, which you lack: only its limits can be narrowed':
    'A chave de API tem a permissão {1}, que você não tem: só é possível restringir os limites dela',
  'The account is disabled, or no longer linked; begin again':
    'A conta está desativada, ou não está mais vinculada; comece de novo',
  'The account is linked to another person of this identity provider':
    'A conta está vinculada a outra pessoa deste provedor de identidade',
  'The account of this address is disabled, or its address is changing':
    'A conta deste endereço está desativada, ou o endereço está mudando',
  'The account of this address is disabled; enable it first': 'A conta deste endereço está desativada; reative-a antes',
  'The account of this address is staff already; change its roles':
    'A conta deste endereço já é da equipe; altere os papéis dela',
  'The address is reserved for an account that has just left it':
    'O endereço está reservado para uma conta que acabou de deixá-lo',
  'The address is reserved for another account': 'O endereço está reservado para outra conta',
  'The address of the account is not of a domain of this identity provider':
    'O endereço da conta não é de um domínio deste provedor de identidade',
  'Staff sign in by their own identity provider, or with their password':
    'A equipe entra pelo próprio provedor de identidade, ou com a senha',
  'The authenticator app was taken away meanwhile': 'O aplicativo autenticador foi removido nesse meio-tempo',
  'The code is wrong, was used or has expired': 'O código está errado, já foi usado ou expirou',
  'The connection to the identity provider has changed; begin again':
    'A conexão com o provedor de identidade mudou; comece de novo',
  'The e-mail address or the password is wrong': 'O e-mail ou a senha está errada',
  'The entry is over already': 'A entrada já terminou',
  'The erasure has been requested already': 'A eliminação já foi pedida',
  'The identity provider calls itself {1}; its connection has to name exactly that `issuer`':
    'O provedor de identidade se identifica como {1}; a conexão deve ter exatamente esse `issuer`',
  'The identity provider does not answer as it should; try again, or ask who looks after it':
    'O provedor de identidade não responde como deveria; tente de novo, ou fale com quem cuida dele',
  'The identity provider does not say that your e-mail address is verified (`email_verified`)':
    'O provedor de identidade não diz que o seu e-mail é verificado (`email_verified`)',
  'The identity provider has not signed you in; begin again':
    'O provedor de identidade não fez o login; comece de novo',
  'The identity provider signed in an address of another domain':
    'O provedor de identidade fez o login de um endereço de outro domínio',
  'The invite has expired': 'O convite expirou',
  'The invite has expired; ask for a new one': 'O convite expirou; peça um novo',
  'The invite is for another e-mail address': 'O convite é para outro e-mail',
  'The new owner must be an active member or admin': 'O novo proprietário deve ser um membro ou administrador ativo',
  'The organization cannot have this {1}: it {2}': 'A organização não pode ter este {1}: {2}',
  'The organization has an owner already': 'A organização já tem um proprietário',
  'The organization has an owner, or an invite for one': 'A organização tem um proprietário, ou um convite para um',
  'The organization has changed its {1} since': 'A organização mudou {1} depois disso',
  'The organization has to be verified first': 'A organização precisa ser verificada antes',
  'The organization is not deleted': 'A organização não está excluída',
  'The organization needs an owner; transfer the ownership first':
    'A organização precisa de um proprietário; transfira a propriedade antes',
  'The organization was erased': 'A organização foi eliminada',
  'The device is not signed in': 'O dispositivo não entrou',
  'The device is signed in with its next request': 'O dispositivo entra na próxima consulta',
  'The passkey is registered already': 'A chave de acesso já está registrada',
  'The passkey is unknown or was not accepted; begin again':
    'A chave de acesso é desconhecida ou não foi aceita; comece de novo',
  'The permissions of an owner change by a transfer of ownership only':
    'As permissões de um proprietário só mudam por transferência da propriedade',
  'The person asks for this mail again themselves': 'A própria pessoa pede esta mensagem de novo',
  'The person has not let this device sign in': 'A pessoa não deixou este dispositivo entrar',
  'The person owns organization {1}; transfer or delete it first':
    'A pessoa é proprietária da organização {1}; transfira-a ou exclua-a antes',
  'The person was erased': 'A pessoa foi eliminada',
  'The refresh token is wrong, used or expired; sign in again':
    'O token de renovação está errado, já foi usado ou expirou; entre de novo',
  'The role {1} is not below your own': 'O papel {1} não está abaixo do seu',
  'The scope {1} is not yours to grant': 'Você não pode conceder a permissão {1}',
  'The scope {1} is not yours to show': 'Você não pode mostrar a permissão {1}',
  'The sign-in has expired or was used; begin again': 'O login expirou ou já foi usado; comece de novo',
  'Nobody has approved the sign-in yet': 'Ninguém aprovou a entrada ainda',
  'Wait {1} seconds between two polls': 'Espere {1} segundos entre duas consultas',
  'The sign-in has expired, was used, or was begun elsewhere; begin again':
    'O login expirou, já foi usado, ou foi iniciado em outro lugar; comece de novo',
  'The test before it has not been sent yet': 'O teste anterior ainda não foi enviado',
  'The {1} belongs to an organization already': 'Já pertence a uma organização: {1}',
  'There can be {1} connections': 'Pode haver {1} conexões',
  'There can be {1} webhook endpoints': 'Pode haver {1} endpoints de webhook',
  'There can be {1} API keys; revoke those that nothing uses':
    'Pode haver {1} chaves de API; revogue as que ninguém usa',
  'There can be {1} named roles': 'Pode haver {1} papéis próprios',
  'There is a role with this name already': 'Já existe um papel com este nome',
  'There is no erasure that could be cancelled': 'Não há eliminação que possa ser cancelada',
  'There is no single sign-on for this domain': 'Não há login único para este domínio',
  'This address belongs to a collaborator already': 'Este endereço já é de um colaborador',
  'This address has been invited already; the invite is {1}, and can be sent again':
    'Este endereço já foi convidado; o convite está {1}, e pode ser enviado de novo',
  'This address was imported; its invite can be sent': 'Este endereço foi importado; o convite dele pode ser enviado',
  'This collaborator has accepted already': 'Este colaborador já aceitou',
  'This contact has the role already': 'Este contato já tem o papel',
  'This is the last administrator; appoint another one first': 'Este é o último administrador; nomeie outro antes',
  'Too many invites were sent; try again later': 'Convites demais foram enviados; tente de novo mais tarde',
  'Which notices somebody gets only they decide; no API key may':
    'Só a própria pessoa decide que avisos recebe; uma chave de API não pode',
  'Whoever set the endpoint up does not hold the scopes of {1}': 'Quem criou o endpoint não tem as permissões de {1}',
  'You are no administrator any more': 'Você não é mais administrador',
  'You belong to this organization already': 'Você já faz parte desta organização',
  'You cannot disable your own account': 'Você não pode desativar a própria conta',
  'You cannot reset the second factors of your own account':
    'Você não pode redefinir os segundos fatores da própria conta',
  'You lack the permission {1} yourself': 'Você mesmo não tem a permissão {1}',
  'You own this organization already': 'Você já é proprietário desta organização',
  'You see fewer tickets than `{1}` would let the member see':
    'Você vê menos chamados do que `{1}` permitiria ao membro',
}
