// The messages of refusals about quotes, orders, subscriptions, invoices, payments, refunds and tax invoices.
import type { Sentences } from './fields.ts'

export const salesMessages: Sentences = {
  'A quote that is {1} can no longer be adjusted': 'Um orçamento com o status {1} não pode mais ser reajustado',
  'A quote that is {1} can no longer be edited': 'Um orçamento com o status {1} não pode mais ser editado',
  'A quote that is {1} cannot be accepted': 'Um orçamento com o status {1} não pode ser aceito',
  'A quote that is {1} cannot be cancelled': 'Um orçamento com o status {1} não pode ser cancelado',
  'A quote that is {1} cannot be revised': 'Um orçamento com o status {1} não pode ser revisado',
  'A quote that is {1} gets no other date': 'Um orçamento com o status {1} não recebe outra data',
  'A quote that is {1} has no new public links': 'Um orçamento com o status {1} não recebe novos links públicos',
  'A quote that is {1} has no payment yet': 'Um orçamento com o status {1} ainda não tem pagamento',
  'A refund that is {1} cannot be {2}': 'Um reembolso com o status {1} não pode passar a {2}',
  'A refund that is {1} leaves the tax invoices as they are':
    'Um reembolso com o status {1} deixa as notas fiscais como estão',
  'A request that is {1} cannot be drafted': 'Uma solicitação com o status {1} não pode virar orçamento',
  'A tax invoice that is {1} cannot be replaced': 'Uma nota fiscal com o status {1} não pode ser substituída',
  'A tax invoice that is {1} cannot be cancelled': 'Uma nota fiscal com o status {1} não pode ser cancelada',
  'A tax invoice that is {1} cannot be retried': 'Uma nota fiscal com o status {1} não pode ser enviada de novo',
  'A tax invoice that is {1} was never issued': 'Uma nota fiscal com o status {1} nunca foi emitida',
  'All lines of the invoice have tax invoices already': 'Todas as linhas da fatura já têm notas fiscais',
  'An invoice that is {1} can no longer be edited': 'Uma fatura com o status {1} não pode mais ser editada',
  'An invoice that is {1} cannot be finalized': 'Uma fatura com o status {1} não pode ser finalizada',
  'An invoice that is {1} cannot be corrected by a credit note':
    'Uma fatura com o status {1} não pode ser corrigida por uma nota de crédito',
  'An invoice that is {1} cannot be paid': 'Uma fatura com o status {1} não pode ser paga',
  'An invoice that is {1} cannot be refunded': 'Uma fatura com o status {1} não pode ser reembolsada',
  'An invoice that is {1} gets no other due date': 'Uma fatura com o status {1} não recebe outro vencimento',
  'An invoice that is {1} is not sent': 'Uma fatura com o status {1} não é enviada',
  'An order that is {1} cannot be refunded': 'Um pedido com o status {1} não pode ser reembolsado',
  'An order that is {1} cannot be subscribed': 'Um pedido com o status {1} não pode ter assinatura',
  'An order that is {1} cannot become {2}': 'Um pedido com o status {1} não pode passar a {2}',
  'Credit notes cover all of it: cancel it': 'Notas de crédito cobrem todo o valor: cancele-a',
  'Dunning is not held': 'A cobrança não está suspensa',
  'It is being cancelled already': 'Já está sendo cancelada',
  'It may have reached the tax authority: it can be cancelled once that is known':
    'Pode ter chegado à autoridade fiscal: poderá ser cancelada quando isso se souber',
  'It was made from the credit balance: a refund returns it there':
    'Foi feito com o saldo de crédito: um reembolso o devolve para lá',
  'It was not a customer who stopped the subscription: ask the vendor':
    'Não foi um cliente que parou a assinatura: fale com o fornecedor',
  'It was paid at the payment provider, which confirms the refund itself':
    'Foi pago no provedor de pagamento, que confirma o reembolso ele mesmo',
  'Its quote {1} is {2}: cancel it first': 'O orçamento {1} está {2}: cancele-o antes',
  'More of the invoice is credited than would be owed without the payment':
    'A fatura tem mais crédito do que se deveria sem o pagamento',
  'No fiscal profile is valid today': 'Nenhum perfil fiscal é válido hoje',
  ['No fiscal profile is valid on the day of competence. Configure one with a `valid_from` that is not ' +
  'after that day, restart, then retry.']:
    'Nenhum perfil fiscal é válido no dia da competência. Configure um com `valid_from` que não seja depois ' +
    'desse dia, reinicie e tente de novo.',
  ['The fiscal profile has a service code neither for the class of these lines nor as `default`. Configure ' +
  'one, restart, then retry.']:
    'O perfil fiscal não tem código de serviço para a classe destas linhas nem como `default`. Configure um, ' +
    'reinicie e tente de novo.',
  'No tax authority is configured': 'Nenhuma autoridade fiscal está configurada',
  'Nothing can be refunded': 'Nada pode ser reembolsado',
  'Nothing is scheduled': 'Nada está agendado',
  'Nothing of the credit balance can be refunded': 'Nada do saldo de crédito pode ser reembolsado',
  'Nothing of the invoice can be refunded': 'Nada da fatura pode ser reembolsado',
  'Nothing of the refund has to be restarted': 'Nada do reembolso precisa ser reiniciado',
  'Nothing of this invoice has to be paid': 'Nada desta fatura precisa ser pago',
  'Of the payment {1} {2} went to the credit balance, which has {3} left':
    'Do pagamento, {1} {2} foram para o saldo de crédito, que tem {3}',
  'Only a person moves a payment to another organization; no API key may':
    'Somente uma pessoa move um pagamento para outra organização; uma chave de API não pode',
  'Only invoices of entity_br have tax invoices': 'Somente faturas de entity_br têm notas fiscais',
  'Nothing is billed by the invoice, or nothing of it is left after its credit notes':
    'A fatura não cobra nada, ou nada resta dela depois das notas de crédito',
  'Tax invoice {1} is about to replace it': 'A nota fiscal {1} está para substituí-la',
  'Tax invoice {1} of the same invoice has the service code {2} already':
    'A nota fiscal {1} da mesma fatura já tem o código de serviço {2}',
  'The XML cannot be rendered as PDF, only downloaded: it {1}': 'O XML não pode virar PDF, apenas ser baixado: {1}',
  'is no NFS-e of a known layout: {1}': 'não é uma NFS-e de um leiaute conhecido: {1}',
  'has no access key': 'não tem chave de acesso',
  'does not say in which environment it was made': 'não diz em que ambiente foi feita',
  'does not say when it was made': 'não diz quando foi feita',
  'The amount has been refunded otherwise, or is about to be':
    'O valor foi reembolsado de outra forma, ou está para ser',
  'The authority is being asked already': 'A autoridade já está sendo consultada',
  'The code {1} {2}': 'O código {1} {2}',
  'The credit balance is less than that': 'O saldo de crédito é menor que isso',
  'The credit balance would be larger than any amount can be':
    'O saldo de crédito ficaria maior que qualquer valor possível',
  'The customer was reminded less than an hour ago': 'O cliente foi lembrado há menos de uma hora',
  'The invoice is void: cancel it': 'A fatura está anulada: cancele-a',
  'The invoice is {1}; only an open or a paid one gets tax invoices':
    'A fatura está {1}; somente uma aberta ou paga recebe notas fiscais',
  'The invoice is in {1}; tax invoices are in BRL': 'A fatura está em {1}; notas fiscais são em BRL',
  'The lines have several service codes by now: cancel this one, and issue anew':
    'As linhas agora têm vários códigos de serviço: cancele esta, e emita de novo',
  'The order has a subscription that is {1}': 'O pedido tem uma assinatura com o status {1}',
  'The order has lines that are billed once: it cannot begin with a trial':
    'O pedido tem linhas de cobrança única: não pode começar com um período de teste',
  'The order has lines that are billed once: it is not charged automatically':
    'O pedido tem linhas de cobrança única: não é cobrado automaticamente',
  'The order has no subscription': 'O pedido não tem assinatura',
  'The order has no subscription that could be paused': 'O pedido não tem assinatura que possa ser pausada',
  'The order has no subscription that could change': 'O pedido não tem assinatura que possa mudar',
  'The order has no subscription that ends with its period': 'O pedido não tem assinatura que termine com o período',
  'The order has no subscription that is paused': 'O pedido não tem assinatura pausada',
  'The order has no subscription to cancel': 'O pedido não tem assinatura para cancelar',
  'The order is billed {1} as a whole: its lines cannot change':
    'O pedido é cobrado por inteiro, {1}: as linhas não podem mudar',
  'The order is paid: it cannot begin with a trial': 'O pedido está pago: não pode começar com um período de teste',
  'The order waits for no payment: it cannot begin with a trial':
    'O pedido não espera pagamento: não pode começar com um período de teste',
  'The organization has paid nothing at the payment provider of this entity':
    'A organização ainda não pagou nada no provedor de pagamento desta empresa',
  'The payment provider does not answer; try again': 'O provedor de pagamento não responde; tente de novo',
  'The order {1} extends what this one sold, and is not delivered yet: cancel one of the two':
    'O pedido {1} prorroga o que este vendeu, e ainda não foi entregue: cancele um dos dois',
  'The organization has {1} open requests, the maximum': 'A organização tem {1} solicitações abertas, o máximo',
  'The organization pays by invoice: it is not charged automatically':
    'A organização paga por fatura: não é cobrada automaticamente',
  'The payment has been moved already': 'O pagamento já foi movido',
  'The payment has been refunded, or is about to be': 'O pagamento foi reembolsado, ou está para ser',
  'The payment of invoice {1} is disputed: the bank decides':
    'O pagamento da fatura {1} está em contestação: o banco decide',
  'The payment provider collected it for its own invoice there: refund it':
    'O provedor de pagamento o recebeu pela fatura dele: reembolse-o',
  'The price has ended already': 'O preço já terminou',
  'The quote changed at this moment; try again': 'O orçamento mudou neste momento; tente de novo',
  'The quote has {1} open links, the maximum': 'O orçamento tem {1} links abertos, o máximo',
  'The quote is not as it was shown; get it again': 'O orçamento não está como foi mostrado; busque-o de novo',
  'The quote was replaced by {1}': 'O orçamento foi substituído por {1}',
  'The quote was valid until {1}': 'O orçamento era válido até {1}',
  'The refund has been approved already': 'O reembolso já foi aprovado',
  'The refund has failed already': 'O reembolso já falhou',
  'The refund has to be approved first': 'O reembolso precisa ser aprovado antes',
  'The signed document cannot be read': 'O documento assinado não pôde ser lido',
  'The archived document cannot be read': 'O documento arquivado não pôde ser lido',
  'The subscription is cancelled already and ends at {1}': 'A assinatura já foi cancelada e termina em {1}',
  'The subscription is cancelled and ends at {1}': 'A assinatura foi cancelada e termina em {1}',
  'The subscription is paused for what is due: it goes on when that is paid':
    'A assinatura está pausada pelo que está em atraso: continua quando for pago',
  'The vendor does this ({1}) for its customers: ask it to': 'O fornecedor faz isto ({1}) pelos clientes: peça a ele',
  'The vendor has stopped the subscription: ask it for another end':
    'O fornecedor parou a assinatura: peça a ele outro fim',
  'There are no late charges to bill': 'Não há encargos por atraso para faturar',
  'There is an invoice {1} already': 'Já existe uma fatura {1}',
  'There is no credit balance of the legal entity and currency, or nothing is due':
    'Não há saldo de crédito desta empresa e moeda, ou nada está em aberto',
  'earlier money is a payment in advance': 'dinheiro anterior é um pagamento antecipado',
  'end_date has passed': 'end_date já passou',
  'valid_until has passed; edit the quote first': 'valid_until já passou; edite o orçamento antes',
  '{1}, which this one replaces, is {2}': '{1}, que este substitui, está {2}',
  '{1} is a draft of the next version already': '{1} já é um rascunho da próxima versão',
  '{1} could be cancelled until {2}': '{1} podia ser cancelada até {2}',
  '{1} is about to be replaced': '{1} está para ser substituída',
  'the authority refuses to cancel {1} ({2})': 'a autoridade recusa o cancelamento de {1} ({2})',
}
