// What each kind of notice is called, where somebody chooses which they get.
import type { MailKind } from './mail/content.ts'

/** Mails about an account or the vendor's own keys, to an address without an account, or to a sender: no choice. */
type MailOfAccount =
  | 'verify-account'
  | 'set-password'
  | 'reset-password'
  | 'email-change'
  | 'email-change-requested'
  | 'email-changed'
  | 'password-changed'
  | 'new-sign-in'
  | 'security-notice'
  | 'staff-roles'
  | 'vendor-key-expiring'
  | 'vendor-key-changed'
  | 'invite'
  | 'contact-confirmation'
  | 'ticket-answer-refused'
export type NoticeTexts = Record<Exclude<MailKind, MailOfAccount>, string>

export const noticesInEnglish: NoticeTexts = {
  'contacts-changed': 'Changed contacts',
  'invite-accepted': 'Accepted invitations',
  'membership-expiring': 'Memberships that end soon',
  'api-key-expiring': 'API keys that end soon',
  'quote-sent': 'New quotes',
  'quote-expiring': 'Quotes that expire soon',
  'quote-requested': 'Requests for quotes',
  'quote-request-declined': 'Declined requests for quotes',
  'renewal-drafted': 'Drafted renewals',
  'quote-accepted': 'Accepted quotes',
  'payment-received': 'Received payments',
  'refund-succeeded': 'Refunds',
  'invoice-open': 'New invoices',
  'order-invoice-open': 'Invoices of orders',
  'invoice-reminder': 'Reminders of invoices',
  'payment-failed': 'Failed payments',
  'payment-receipt': 'Receipts',
  'invoice-due-date-changed': 'Changed due dates',
  'arrears-ending': 'Ends of arrears',
  'entitlements-suspended': 'Suspensions for unpaid invoices',
  'entitlements-resumed': 'Ends of suspensions',
  'payment-surplus': 'Payments beyond what was due',
  'payment-moved': 'Payments recorded by mistake',
  'charge-failed': 'Failed automatic charges',
  'subscription-cancelled': 'Cancelled subscriptions',
  'payout-paid': 'Paid commissions',
  'payout-rejected': 'Rejected payouts',
  'quote-fulfilled': 'Fulfilled quotes',
  'entitlement-expiring': 'Entitlements that end soon',
  'license-expiring': 'Licenses that end soon',
  'maintenance-scheduled': 'Announced maintenance',
  'maintenance-changed': 'Changed maintenance',
  'maintenance-cancelled': 'Cancelled maintenance',
  'service-delivered': 'Deliveries to accept',
  'contract-ending': 'Contracts that end soon',
  'contract-notice': 'Notice periods of contracts',
  'webhook-endpoint-disabled': 'Disabled webhook endpoints',
  'tax-invoice-issued': 'Tax invoices',
  'ticket-opened': 'New tickets',
  'ticket-commented': 'Comments on tickets',
  'ticket-moved': 'Changes of tickets',
  'ticket-satisfaction': 'Questions whether tickets were solved well',
  'ticket-sla-warning': 'Deadlines of tickets that are near',
  'ticket-sla-breached': 'Missed deadlines of tickets',
}

export const noticesInPortuguese: NoticeTexts = {
  'contacts-changed': 'Contatos alterados',
  'invite-accepted': 'Convites aceitos',
  'membership-expiring': 'Participações perto do fim',
  'api-key-expiring': 'Chaves de API perto do fim',
  'quote-sent': 'Novos orçamentos',
  'quote-expiring': 'Orçamentos perto do vencimento',
  'quote-requested': 'Pedidos de orçamento',
  'quote-request-declined': 'Pedidos de orçamento recusados',
  'renewal-drafted': 'Rascunhos de renovação',
  'quote-accepted': 'Orçamentos aceitos',
  'payment-received': 'Pagamentos recebidos',
  'refund-succeeded': 'Reembolsos',
  'invoice-open': 'Novas faturas',
  'order-invoice-open': 'Faturas de pedidos',
  'invoice-reminder': 'Lembretes de faturas',
  'payment-failed': 'Pagamentos que falharam',
  'payment-receipt': 'Recibos',
  'invoice-due-date-changed': 'Vencimentos alterados',
  'arrears-ending': 'Fim da espera por faturas vencidas',
  'entitlements-suspended': 'Suspensões por faturas não pagas',
  'entitlements-resumed': 'Suspensões encerradas',
  'payment-surplus': 'Pagamentos acima do valor devido',
  'payment-moved': 'Pagamentos registrados por engano',
  'charge-failed': 'Cobranças automáticas que falharam',
  'subscription-cancelled': 'Assinaturas canceladas',
  'payout-paid': 'Comissões pagas',
  'payout-rejected': 'Pagamentos de comissões recusados',
  'quote-fulfilled': 'Pedidos prontos para usar',
  'entitlement-expiring': 'Contratações perto do vencimento',
  'license-expiring': 'Licenças perto do vencimento',
  'maintenance-scheduled': 'Manutenções programadas',
  'maintenance-changed': 'Manutenções alteradas',
  'maintenance-cancelled': 'Manutenções canceladas',
  'service-delivered': 'Entregas para aceitar',
  'contract-ending': 'Contratos perto do fim',
  'contract-notice': 'Prazos de aviso de contratos',
  'webhook-endpoint-disabled': 'Endpoints de webhooks desativados',
  'tax-invoice-issued': 'Notas fiscais',
  'ticket-opened': 'Novos chamados',
  'ticket-commented': 'Comentários em chamados',
  'ticket-moved': 'Mudanças em chamados',
  'ticket-satisfaction': 'Perguntas sobre o atendimento de chamados',
  'ticket-sla-warning': 'Prazos de chamados próximos',
  'ticket-sla-breached': 'Prazos de chamados perdidos',
}
