// The messages of refusals about what is delivered, support, documents, imports and exports.
import type { Sentences } from './fields.ts'

export const deliveryMessages: Sentences = {
  'A contract is renewed by POST /contracts/{1}/renew': 'Um contrato é renovado por POST /contracts/{1}/renew',
  'A contract that has expired is renewed, or paid for again': 'Um contrato expirado é renovado, ou pago de novo',
  'A contract that is {1} cannot become {2}': 'Um contrato com o status {1} não pode passar a {2}',
  'A contract that is {1} cannot be renewed': 'Um contrato com o status {1} não pode ser renovado',
  'A document for staff only has no share links': 'Um documento só da equipe não tem links de compartilhamento',
  'A document has {1} versions at most': 'Um documento tem no máximo {1} versões',
  'A license has at most {1} staging domains': 'Uma licença tem no máximo {1} domínios de homologação',
  'A license that is revoked has no limit to change': 'Uma licença revogada não tem limite para alterar',
  'A license that is {1} activates no domain': 'Uma licença com o status {1} não ativa domínios',
  'A license that is {1} has no file': 'Uma licença com o status {1} não tem arquivo',
  'A license that is {1} gets no new key': 'Uma licença com o status {1} não recebe nova chave',
  'A maintenance window that is {1} cannot be changed':
    'Uma janela de manutenção com o status {1} não pode ser alterada',
  'A release that is yanked takes no files': 'Uma versão retirada não recebe arquivos',
  'A release that is {1} cannot become {2}': 'Uma versão com o status {1} não pode passar a {2}',
  'A release that is {1} is not downloaded': 'Uma versão com o status {1} não pode ser baixada',
  'A release that was published has a time': 'Uma versão publicada tem uma data',
  'A release without files cannot be published': 'Uma versão sem arquivos não pode ser publicada',
  'A service that is {1} cannot become {2}': 'Um serviço com o status {1} não pode passar a {2}',
  'A ticket can be rated for {1} days after the question':
    'Um chamado pode ser avaliado por {1} dias depois da pergunta',
  'A ticket has {1} watchers at most': 'Um chamado tem no máximo {1} acompanhantes',
  'An affiliate account that is {1} cannot become {2}': 'Uma conta de afiliado com o status {1} não pode passar a {2}',
  'An archived document never changes': 'Um documento arquivado nunca muda',
  'An entitlement that is {1} gets no license': 'Uma contratação com o status {1} não recebe licença',
  'An entitlement that is {1} cannot become {2}': 'Uma contratação com o status {1} não pode passar a {2}',
  'An environment that is {1} cannot become {2}': 'Um ambiente com o status {1} não pode passar a {2}',
  'An environment that is {1} needs no provisioning': 'Um ambiente com o status {1} não precisa de provisionamento',
  'An environment that was set up by hand is activated by its status':
    'Um ambiente montado à mão é ativado pelo status',
  'An export is being made already': 'Uma exportação já está sendo feita',
  'An export is being written already': 'Uma exportação já está sendo escrita',
  'An import that is {1} has not created all members yet':
    'Uma importação com o status {1} ainda não criou todos os membros',
  'An import that is {1} cannot be cancelled': 'Uma importação com o status {1} não pode ser cancelada',
  'Another price has this external_id': 'Outro preço tem este external_id',
  'Another product has this external_id': 'Outro produto tem este external_id',
  'Another product has this SKU': 'Outro produto tem este SKU',
  'Another team has this name': 'Outra equipe tem este nome',
  'Customers may close, cancel and reopen tickets': 'Clientes podem fechar, cancelar e reabrir chamados',
  'Environment {1} is at the site; change its url or decommission it first':
    'O ambiente {1} está no site; mude a url dele ou desative-o antes',
  'It is suspended for an overdue payment: record the payment, or hold dunning for the organization':
    'Está suspenso por um pagamento em atraso: registre o pagamento, ou suspenda a cobrança da organização',
  'It overlaps another maintenance window of this environment':
    'Coincide com outra janela de manutenção deste ambiente',
  'It waits for an attempt already': 'Já espera uma tentativa',
  'Its last act, {1}, is {2}': 'O último ato, {1}, está {2}',
  'License {1} is active on the site; deactivate {2} first': 'A licença {1} está ativa no site; desative {2} antes',
  'New tickets about {1} get the team {2}': 'Novos chamados sobre {1} vão para a equipe {2}',
  'No code of this version handles events of {1}': 'Nenhum código desta versão trata eventos de {1}',
  'No entitlement of the organization covers the release': 'Nenhuma contratação da organização cobre esta versão',
  'No provisioning system is configured': 'Nenhum sistema de provisionamento está configurado',
  'Of a contract that is {1} only {2} change, not {3}': 'De um contrato com o status {1} só mudam {2}, não {3}',
  'Only an event that could not be read can be set aside, and only once':
    'Só um evento que não pôde ser lido pode ser descartado, e uma só vez',
  'Only an import of members has somebody to invite': 'Só uma importação de membros tem alguém para convidar',
  'Only drafts are deleted; yank a release that was published':
    'Só rascunhos são excluídos; retire uma versão publicada',
  'Only staff and the user who uploaded it may delete an attachment':
    'Somente a equipe e quem o enviou podem excluir um anexo',
  'Only staff change what the vendor provided': 'Somente a equipe altera o que o fornecedor disponibilizou',
  'Only staff delete {1} documents': 'Somente a equipe exclui documentos {1}',
  'Only staff may assign tickets': 'Somente a equipe pode atribuir chamados',
  'Only staff may provide documents for staff': 'Somente a equipe pode enviar documentos para a equipe',
  'Only staff may write internal notes': 'Somente a equipe pode escrever notas internas',
  'Only staff move a {1} document elsewhere': 'Somente a equipe move um documento {1} para outro lugar',
  'Only the uploader, admins and owners decide who may read it':
    'Só quem enviou, administradores e proprietários decidem quem pode ler',
  'Only whoever opened the ticket can rate it': 'Só quem abriu o chamado pode avaliá-lo',
  'Other environments are paired with this one, so it stays a production environment':
    'Outros ambientes formam par com este, por isso ele continua sendo de produção',
  'The account follows its entitlement {1}, which is {2}': 'A conta segue a contratação {1}, que está {2}',
  'The balance is {1} {2} by now: reject the payout, or pay it later':
    'O saldo agora é {1} {2}: recuse o saque, ou pague depois',
  'The document has {1} open share links, the maximum':
    'O documento tem {1} links de compartilhamento abertos, o máximo',
  'The entitlement is {1}': 'A contratação está {1}',
  'The environment has been decommissioned': 'O ambiente foi desativado',
  "The environment's entitlement is {1}": 'A contratação do ambiente está {1}',
  'The event could not be read, so it cannot be handled again: {1}':
    'O evento não pôde ser lido, por isso não pode ser tratado de novo: {1}',
  'The export is not completed, or has expired': 'A exportação não está concluída, ou expirou',
  'The file exceeds the storage quota of the organization': 'O arquivo excede a cota de armazenamento da organização',
  'The files of a release that is {1} stay': 'Os arquivos de uma versão com o status {1} ficam',
  'The issue is linked to another ticket': 'A tarefa está vinculada a outro chamado',
  'The issue is recorded only; there is no tracker to ask':
    'A tarefa só está registrada; não há sistema para consultar',
  'The legal entity has a canned reply of this name': 'A empresa já tem uma resposta pronta com este nome',
  'The license follows its entitlement {1}, which is {2}': 'A licença segue a contratação {1}, que está {2}',
  'The license has expired': 'A licença expirou',
  'The license is active on {1} domains; deactivate some first':
    'A licença está ativa em {1} domínios; desative alguns antes',
  'The license is active on {1} of {2} domains; deactivate one':
    'A licença está ativa em {1} de {2} domínios; desative um',
  'The license is not active on this domain': 'A licença não está ativa neste domínio',
  'The mail is still being sent': 'A mensagem ainda está sendo enviada',
  'The maintenance window has begun already': 'A janela de manutenção já começou',
  'The members are being invited already': 'Os membros já estão sendo convidados',
  'The organization has {1} files already, the maximum': 'A organização já tem {1} arquivos, o máximo',
  'The product has a release of this version already': 'O produto já tem esta versão',
  'The release has a file of this name already': 'A versão já tem um arquivo com este nome',
  'The service is {1}': 'O serviço está {1}',
  'The ticket is linked to {1}': 'O chamado está vinculado a {1}',
  'The ticket is {1}': 'O chamado está {1}',
  'The ticket is {1} by now': 'O chamado agora está {1}',
  'The version of a release that is {1} stays': 'O número de uma versão com o status {1} fica como está',
  'There are {1} exports that are not written yet, the maximum': 'Há {1} exportações ainda não escritas, o máximo',
  'There is a site {1} already': 'Já existe o site {1}',
  'collaborators who may read tickets': 'colaboradores que podem ler chamados',
  'collaborators who may read tickets, or staff': 'colaboradores que podem ler chamados, e a equipe',
  'customers open tickets about entitlements of class {1}': 'clientes abrem chamados sobre contratações de classe {1}',
  'customers open tickets about invoices, orders or nothing in particular':
    'clientes abrem chamados sobre faturas, pedidos ou nada em particular',
  'customers open tickets about invoices, orders or nothing in particular, and about entitlements of class {1}':
    'clientes abrem chamados sobre faturas, pedidos ou nada em particular, e sobre contratações de classe {1}',
  'Without an issue tracker only the key of an issue is recorded':
    'Sem um sistema de tarefas, só a chave de uma tarefa é registrada',
  '{1} is {2}: no ticket can be opened for it': '{1} está {2}: não é possível abrir um chamado sobre ela',
  '{1} is {2}: no ticket can be opened for it; a ticket without it, or about an invoice, is possible':
    '{1} está {2}: não é possível abrir um chamado sobre ela; é possível abrir um sem ela, ou sobre uma fatura',
  '{1} tickets that have not ended are the team’s': 'A equipe tem {1} chamados que não terminaram',
}
