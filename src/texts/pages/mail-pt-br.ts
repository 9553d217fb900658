// The sandbox’s pages of sent mail, in Portuguese.

import type { PageTexts } from './content.ts'

export const mailPagesInPortuguese: PageTexts['mail'] = {
  title: 'E-mails enviados',
  lead: 'Esta instalação não envia e-mails de verdade. O que ela teria enviado fica guardado aqui.',
  empty: 'Nenhum e-mail ainda.',
  to: 'Para',
  from: 'De',
  subject: 'Assunto',
  date: 'Data',
  noSubject: '(sem assunto)',
  answer: 'Responder',
  answerText: 'Como destinatário deste e-mail',
  answerHint: 'O sandbox recebe respostas em até um minuto. Esta vira um comentário no chamado.',
  answerButton: 'Enviar resposta',
  back: 'Todos os e-mails',
  attachments: 'Anexos',
  html: 'Mensagem',
  text: 'Versão em texto',
}
