// The messages of refusals that the kernel and http give: about the request, its credentials and what they allow.
import type { Sentences } from './fields.ts'

export const requestMessages: Sentences = {
  'The request is malformed': 'A requisição está malformada',
  'Authentication is missing, invalid or has ended': 'A autenticação está ausente, é inválida ou terminou',
  'Not permitted': 'Não permitido',
  'Not found': 'Não encontrado',
  'The method is not allowed here': 'O método não é permitido aqui',
  'No representation that the request accepts': 'Nenhuma representação que a requisição aceite',
  'The current state does not allow this': 'O estado atual não permite isto',
  'No longer kept': 'Não é mais guardado',
  'The record is no longer as it was seen; get it again': 'O registro já não está como foi visto; busque-o de novo',
  'The body is too large': 'O corpo é grande demais',
  'The content type is not supported; send application/json': 'O tipo de conteúdo não é aceito; envie application/json',
  'The file has no such range of bytes': 'O arquivo não tem esse intervalo de bytes',
  'The input is not valid': 'Os dados não são válidos',
  'Send If-Match with the ETag of the record': 'Envie If-Match com o ETag do registro',
  'Too many requests; try again later': 'Requisições demais; tente de novo mais tarde',
  'Something went wrong on our side': 'Algo deu errado do nosso lado',
  'The service is busy or the database cannot be reached; try again':
    'O serviço está ocupado ou o banco de dados não responde; tente de novo',
  '{1} not found': 'Não encontrado: {1}',
  'Not a collaborator of this organization': 'Você não é colaborador desta organização',
  'No such invite': 'Não há esse convite',
  'The organization has no such invoice': 'A organização não tem essa fatura',
  'The body is not valid JSON': 'O corpo não é um JSON válido',
  'The body is not valid multipart/form-data': 'O corpo não é um multipart/form-data válido',
  'Send the file as multipart/form-data': 'Envie o arquivo como multipart/form-data',
  'The content coding is not supported; send the body as it is':
    'A codificação do conteúdo não é aceita; envie o corpo como ele é',
  'The upload took too long': 'O envio demorou demais',
  'The request must have one Host field': 'A requisição deve ter um campo Host',
  'Idempotency-Key must be one key of 1 to 255 visible characters':
    'Idempotency-Key deve ser uma chave de 1 a 255 caracteres visíveis',
  'A request with this Idempotency-Key is still running':
    'Uma requisição com esta Idempotency-Key ainda está em andamento',
  'It is done; the answer had a secret and is not kept': 'Está feito; a resposta tinha um segredo e não é guardada',
  'X-Reason must be one line of at most {1} visible characters; percent-encode what is not ASCII':
    'X-Reason deve ser uma linha de até {1} caracteres visíveis; codifique com % o que não é ASCII',
  'X-Service-Company must be entity_br or entity_global': 'X-Service-Company deve ser entity_br ou entity_global',
  'The header X-Service-Organization must name one organization by its id':
    'O cabeçalho X-Service-Organization deve indicar uma organização pelo id',
  'X-Service-Organization and the path name two organizations':
    'X-Service-Organization e o caminho indicam duas organizações',
  'What is changed here has no ETag': 'O que se altera aqui não tem ETag',
  'The answer is {1}; send Accept with it or without the header':
    'A resposta é {1}; envie Accept com esse tipo, ou sem o cabeçalho',
  'The answer is {1}; send Accept with one of them': 'A resposta é {1}; envie Accept com um desses tipos',
  'A bulk has no such operation': 'Não há essa operação em lote',
  'Test clocks exist in the sandbox only': 'Relógios de teste só existem no sandbox',
  'The organization has a test clock': 'A organização tem um relógio de teste',
  'The organization has no test clock': 'A organização não tem um relógio de teste',
  'The test clock is advancing to {1}': 'O relógio de teste está avançando para {1}',
  'Only a new organization, without records, gets a test clock':
    'Somente uma organização nova, sem registros, recebe um relógio de teste',
  'Events before {1} are no longer kept': 'Eventos anteriores a {1} não são mais guardados',
  'Scope not authorized: {1}': 'Permissão ausente: {1}',
  'Scope not authorized: {1}, which expand={2} needs': 'Permissão ausente: {1}, de que expand={2} precisa',
  'Scope not authorized: {1}. The API key, or the token that it was exchanged for, lacks it':
    'Permissão ausente: {1}. A chave de API, ou o token obtido com ela, não a tem',
  'Scope not authorized: {1}. An administrator of the vendor can grant the role {2}':
    'Permissão ausente: {1}. Um administrador do fornecedor pode conceder o papel {2}',
  'The vendor does not show this to the organization, so nobody in it can grant it: {1}':
    'O fornecedor não mostra isto à organização, por isso ninguém nela pode concedê-lo: {1}',
  'The role does not allow this': 'O seu papel não permite isto',
  'The role does not allow expand={1}': 'O seu papel não permite expand={1}',
  'The API key is for some organizations only, and this concerns all or none: send X-Service-Organization':
    'A chave de API é só para algumas organizações, e isto diz respeito a todas ou a nenhuma: ' +
    'envie X-Service-Organization',
  'The API key lacks the permission {1}': 'A chave de API não tem a permissão {1}',
  'The API key has expired': 'A chave de API expirou',
  'The API key belongs to another organization': 'A chave de API é de outra organização',
  'The API key is not accepted from this network address; its `allowed_ips` list the others':
    'A chave de API não é aceita deste endereço de rede; os permitidos estão em `allowed_ips`',
  'An API key acts as a member; this needs a higher role':
    'Uma chave de API age como membro; isto exige um papel mais alto',
  'This API key is not taken from the address: send it as HTTP Basic, or exchange it at /oauth/token':
    'Esta chave de API não é aceita no endereço: envie-a como HTTP Basic, ou troque-a em /oauth/token',
  'Only a person may do this, with a session of their own; no API key may':
    'Somente uma pessoa pode fazer isto, com uma sessão própria; uma chave de API não pode',
  'No API key may do this: sign in as a person, or use a key inside an organization':
    'Nenhuma chave de API pode fazer isto: entre como pessoa, ou use uma chave dentro de uma organização',
  'Only the vendor’s staff may do this': 'Somente a equipe do fornecedor pode fazer isto',
  'Only the vendor’s staff may do this, with a token of their own; no API key may':
    'Somente a equipe do fornecedor pode fazer isto, com um token próprio; uma chave de API não pode',
  'Only the owner of the organization may do this; no permission of staff stands for it':
    'Somente o proprietário da organização pode fazer isto; nenhuma permissão da equipe o substitui',
  'Staff enter an organization with a reason: say it with POST /admin/organizations/{1}/entries':
    'A equipe entra em uma organização com um motivo: informe-o com POST /admin/organizations/{1}/entries',
  'expand reads inside of organizations: enter one with a reason, and read its own list':
    'expand lê dentro de organizações: entre em uma com um motivo, e leia a lista dela',
  'The organization admits its people by single sign-on: begin with POST /auth/sso':
    'A organização admite suas pessoas por login único: comece com POST /auth/sso',
  'A second factor is required: set one up at /auth/mfa, or sign in with it':
    'Um segundo fator é exigido: configure um em /auth/mfa, ou entre com ele',
  'Prove again who you are with POST /auth/step-up, then repeat the request':
    'Comprove de novo quem você é com POST /auth/step-up e repita a requisição',
  'The signature is missing or wrong': 'A assinatura está ausente ou errada',
  'The document took too long': 'O documento demorou demais',
  'The file cannot be read': 'O arquivo não pôde ser lido',
  'The demo’s password signs in from the machine that the service runs on, and only in the sandbox':
    'A senha da demonstração só vale na máquina em que o serviço roda, e somente no sandbox',
  '{1} that is {2} cannot become {3}': 'Não pode passar de {2} a {3}: {1}',
  'This external_id is taken: {1}': 'Este external_id já está em uso: {1}',
  'The former secret still counts, until {1}': 'O segredo anterior ainda vale, até {1}',
}
