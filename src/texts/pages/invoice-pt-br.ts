// The page of an invoice, in Brazilian Portuguese.

import type { InvoicePageTexts } from './invoice-content.ts'

export const invoicePageInPortuguese: InvoicePageTexts = {
  title: (number) => `Fatura ${number}`,
  lead: (seller, customer) => `De ${seller} para ${customer}`,
  due: 'Valor a pagar',
  dueDate: 'Vencimento',
  total: 'Total',
  paid: 'Pago',
  pdf: 'Baixar em PDF',
  howToPay: 'Como pagar',
  online: 'Pagar on-line',
  pix: 'Pix',
  pixLead: 'Leia o código com o aplicativo do seu banco ou copie-o.',
  boleto: 'Boleto',
  boletoLead: 'Digite esta linha no aplicativo do seu banco.',
  boletoPdf: 'Abrir o boleto',
  until: (moment) => `Válido até ${moment}. Depois esta página mostra um novo.`,
  transfer: 'Transferência bancária',
  reference: 'Identificação',
  notYet: 'A forma de pagamento está sendo preparada. Recarregue esta página em um minuto.',
  isPaid: (day) => `Paga em ${day}. Obrigado!`,
  isOver: 'Esta fatura não precisa mais ser paga. Você não precisa fazer nada.',
  noTitle: 'Fatura',
  badLink: 'Este link está incompleto ou a fatura não existe mais. Peça-a de novo.',
}
