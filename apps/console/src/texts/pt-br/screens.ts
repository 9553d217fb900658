// What the screens say, in Portuguese.
import type { Texts } from '../en.ts'

export const app: Texts['app'] = {
  staff: 'Todos os clientes',
  home: 'Início',
  skip: 'Ir para o conteúdo',
  menu: 'Menu',
  organization: 'Organização',
  company: 'Empresa do grupo',
  companyOfCountry: 'Conforme o país',
  language: 'Idioma',
  signOut: 'Sair',
  noOrganization: 'Você ainda não está em nenhuma organização. Peça um convite a um colega.',
  notFound: 'Esta página não existe.',
  toHome: 'Ir para o início',
  account: 'Sua conta',
}

export const signIn: Texts['signIn'] = {
  title: 'Entrar',
  email: 'E-mail',
  password: 'Senha',
  submit: 'Entrar',
  forgotten: 'Esqueceu a senha?',
  code: 'Código do seu aplicativo autenticador',
  codeHelp: 'Seis dígitos, ou um dos seus códigos de recuperação.',
  continue: 'Continuar',
  back: 'Começar de novo',
  sent: 'Se o endereço tiver uma conta, um e-mail com um link está a caminho.',
  needsEmail: 'Digite antes o seu e-mail.',
  ended: 'Sua sessão terminou. Entre de novo; o que você escreveu continua aqui.',
  what: 'As contas dos seus clientes em um só lugar',
  about:
    'Orçamentos, pedidos, faturas, NFS-e, licenças, ambientes, serviços e chamados de clientes empresariais: o que cada um tem, quanto custa, o que vence e quem pode fazer o quê.',
  or: 'ou',
  passkey: 'Usar uma chave de acesso',
  noPasskey: 'Nenhuma chave de acesso foi usada. Tente de novo ou digite sua senha.',
  signOn: 'Login único da minha empresa',
  demo: 'Conheça a demonstração como',
  help: 'Ajuda',
}

export const home: Texts['home'] = {
  title: 'O que precisa de você',
  nothing: 'Nada espera por você.',
  due: 'até {day}',
  more: 'e outros',
  waits: 'O que espera pela equipe',
  runs: 'O que você tem',
  tickets: 'Chamados em aberto',
  count: '{count} à espera',
  all: 'Ver tudo',
}

export const list: Texts['list'] = {
  empty: 'Ainda não há nada aqui.',
  nothingFound: 'Nada corresponde a estes filtros.',
  clear: 'Limpar os filtros',
  columns: 'Colunas',
  search: 'Buscar',
  sort: 'Ordenar por',
  newest: 'Mais recentes primeiro',
  descending: '{field}, do maior ao menor',
  count: '{count} ao todo',
  page: 'Página {page}',
  previous: 'Página anterior',
  next: 'Próxima página',
  more: 'Mostrar mais',
  slots: '{used} de {limit} em uso',
  mine: 'Só os meus',
  chosen: 'Linhas selecionadas',
  chosenCount: '{count} selecionados',
  chooseNone: 'Limpar a seleção',
  chooseAll: 'Selecionar todos desta página',
  choose: 'Selecionar',
}

export const record: Texts['record'] = {
  overTime: 'Ao longo do tempo',
  lines: 'Linhas',
  quantity: 'Quantidade',
  line: 'O quê',
  amount: 'Valor',
  comments: 'Conversa',
  comment: 'Sua resposta',
  send: 'Enviar',
  internal: 'interno',
  details: 'Detalhes',
  running: 'Continua sozinho, mesmo que você saia desta página.',
}

export const act: Texts['act'] = {
  cancel: 'Agora não',
  working: 'Um momento …',
  tryAgain: 'Tentar de novo',
  once: 'Isto aparece uma única vez. Guarde agora em um lugar seguro.',
  kept: 'Já guardei',
  copy: 'Copiar',
  copied: 'Copiado',
  preview: 'Mostrar o que acontece',
  follows: 'O que aconteceria',
  nothingFollows: 'Nada mais muda.',
  yes: 'Sim',
  no: 'Não',
  asked: 'O que se pede a outros',
  isNew: 'novo',
  menu: 'Ações',
}

export const problems: Texts['problems'] = {
  offline: 'O serviço não responde. O que você escreveu continua aqui; tente de novo em instantes.',
  waiting: 'Ainda sem resposta. O pedido se repete sozinho em {seconds} s.',
  busy: 'O serviço está ocupado. Tente de novo em instantes.',
  notFound: 'Este registro não existe, ou você não pode vê-lo.',
  forbidden: 'Você não pode ver nem fazer isto. {who}',
  changed:
    'Alguém alterou isto nesse meio-tempo. Abaixo está o que mudou; o que você digitou continua aqui. Envie de novo se for para valer.',
  wrong: 'Algo deu errado.',
  entry: 'Diga por que você entra nesta organização',
  enter: 'Entrar',
  reason: 'Motivo',
  request: 'Requisição {id}',
  why: 'Diga por quê: este ato fica registrado com o motivo.',
}

export const waiting: Texts['waiting'] = {
  quote_to_accept: 'Orçamentos a aceitar',
  invoice_to_pay: 'Faturas a pagar',
  ticket_to_answer: 'Chamados que aguardam você',
  delivery_to_accept: 'Entregas a aceitar',
  domain_to_verify: 'Domínios a comprovar',
}
