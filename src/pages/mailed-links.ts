// The pages behind links in mails: what each asks the public API, and how it is shown.
import type { ErrorCode } from '#kernel/values/errors.ts'
import type { PageContext } from './document.ts'
import { confirmContactPage, noContactPage, type ShownContact } from './confirm-contact.ts'
import { invoicePage, noInvoicePage, type ShownInvoice } from './invoice.ts'
import { noSubscriptionPage, type ShownNotice, unsubscribePage } from './unsubscribe.ts'
import type { Company } from '#kernel/values/schema.ts'

/** What a page asks the public API. */
type Question = { method: 'GET' | 'POST' | 'PUT'; path: readonly string[]; payload?: object }

export type MailedLinkPage<Data> = {
  /** `/unsubscribe`; the token follows. */
  path: string
  /** Of the public API. */
  resource: string
  /** What its form does; a page without it has no form. */
  act?: (token: string, form: Record<string, string>) => Question
  /** The legal entity whose page it is; without it, that of everybody. */
  about?: (data: Data) => Company
  render: (context: PageContext, token: string, data: Data) => string
  /** For a link that opens nothing, and for an answer that the API does not give at the moment. */
  renderRefused: (context: PageContext, code: ErrorCode) => string
}

export const noticePage: MailedLinkPage<ShownNotice> = {
  path: '/unsubscribe',
  resource: 'notices',
  act: (token, { mail }) => ({ method: 'PUT', path: ['notices', token], payload: { mail: mail === 'on' } }),
  render: (context, token, notice) => unsubscribePage(context, { token, notice }),
  renderRefused: noSubscriptionPage,
}

export const contactPage: MailedLinkPage<ShownContact> = {
  path: '/confirm-contact',
  resource: 'contacts',
  act: (token) => ({ method: 'POST', path: ['contacts', token, 'confirm'] }),
  render: (context, token, contact) => confirmContactPage(context, { token, contact }),
  renderRefused: noContactPage,
}

export const payablePage = (entities: Record<Company, { timeZone: string }>): MailedLinkPage<ShownInvoice> => ({
  path: '/invoices',
  resource: 'invoices',
  about: ({ company }) => company,
  render: (context, token, invoice) =>
    invoicePage(context, { token, invoice, timeZone: entities[invoice.company].timeZone }),
  renderRefused: noInvoicePage,
})
