// Why the service itself has changed a status, as the record shows it.

export type ReasonTexts = {
  overdueInvoice: (number: string, dueDate: string) => string
  overdueRenewal: (dueDate: string) => string
}

export const reasonsInEnglish: ReasonTexts = {
  overdueInvoice: (number, dueDate) => `Invoice ${number}, which was due on ${dueDate}, has not been paid`,
  overdueRenewal: (dueDate) => `The renewal of ${dueDate} has not been paid`,
}

export const reasonsInPortuguese: ReasonTexts = {
  overdueInvoice: (number, dueDate) => `A fatura ${number}, com vencimento em ${dueDate}, não foi paga`,
  overdueRenewal: (dueDate) => `A renovação de ${dueDate} não foi paga`,
}
