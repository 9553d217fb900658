// The words of the page of an invoice.

export type InvoicePageTexts = {
  title: (number: string) => string
  lead: (seller: string, customer: string) => string
  due: string
  dueDate: string
  total: string
  paid: string
  pdf: string
  howToPay: string
  online: string
  pix: string
  pixLead: string
  boleto: string
  boletoLead: string
  boletoPdf: string
  until: (moment: string) => string
  transfer: string
  reference: string
  /** Nothing was offered yet. */
  notYet: string
  isPaid: (day: string) => string
  isOver: string
  noTitle: string
  badLink: string
}
