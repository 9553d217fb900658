// What would follow from an act: each record that would change, as it is and as it would be, and what others are asked for.
import { Alert, Stack, Text } from '@mantine/core'
import { useOwnTexts, usePerson } from '../context.tsx'
import { isItem, type Item, itemsOf, textOf } from '../resources/resource.ts'
import { moneyIn, nameOf, ownTexts } from '../texts/texts.ts'
import { Changes } from './changes.tsx'

type PreviewProps = {
  preview: Item
  /** Of the record that is acted on, for what does not say its own. */
  currency: unknown
}

export function Preview({ preview, currency }: PreviewProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(ASKED)
  const records = itemsOf(preview['records'])
  const requests = itemsOf(preview['requests'])
  const problems = Array.isArray(preview['problems']) ? preview['problems'].map(textOf) : []
  /** What has no name for people is of programs, such as the address of a checkout, and so are ids. */
  const readable = (side: unknown): Item =>
    isItem(side)
      ? Object.fromEntries(
          Object.entries(side).filter(
            ([field, value]) => Object.hasOwn(texts.fields, field) && !field.endsWith('_id') && !isItem(value),
          ),
        )
      : {}
  const moneyOf = ({ amount, currency: its }: Item): string =>
    textOf(amount) === '' ? '' : moneyIn(language, textOf(amount), textOf(its))
  return (
    <Alert title={texts.act.follows} role="status">
      <Stack gap="xs">
        {records.length === 0 && <Text size="sm">{texts.act.nothingFollows}</Text>}
        {records.map((record, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a record that is new has no name yet
          <div key={index}>
            <Text size="sm" fw={600}>
              {nameOf(texts.records, textOf(record['resource']))} {textOf(record['reference'])}
              {record['before'] === null && ` (${texts.act.isNew})`}
            </Text>
            <Changes before={readable(record['before'])} after={readable(record['after'])} currency={currency} />
          </div>
        ))}
        {requests.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {texts.act.asked}
            </Text>
            {requests.map((request, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same may be asked for twice
              <Text key={index} size="sm">
                {nameOf(texts.values, textOf(request['of']))}:{' '}
                {nameOf(own, textOf(request['of'] === 'mail' ? 'mail' : request['act']))} {moneyOf(request)}
              </Text>
            ))}
          </>
        )}
        {problems.map((problem) => (
          <Text key={problem} size="sm" c="red">
            {problem}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

/** What others are asked for. */
const ASKED = ownTexts({
  en: {
    approve_refund: 'approve the refund',
    refund: 'pay it back',
    close_checkout: 'close the checkout',
    replace_checkout: 'replace the checkout',
    cancel_tax_invoice: 'cancel the tax invoice',
    update_commission: 'lower the commission by',
    mail: 'to the customer',
    keep_subscription: 'let the subscription go on',
    change_subscription: 'charge the next periods anew',
    cancel_subscription: 'end the subscription',
    pause_subscription: 'pause the subscription',
    resume_subscription: 'resume the subscription',
  },
  'pt-BR': {
    approve_refund: 'aprovar o reembolso',
    refund: 'devolver o valor',
    close_checkout: 'fechar o checkout',
    replace_checkout: 'substituir o checkout',
    cancel_tax_invoice: 'cancelar a nota fiscal',
    update_commission: 'reduzir a comissão em',
    mail: 'para o cliente',
    keep_subscription: 'manter a assinatura',
    change_subscription: 'cobrar os próximos períodos de outra forma',
    cancel_subscription: 'encerrar a assinatura',
    pause_subscription: 'pausar a assinatura',
    resume_subscription: 'retomar a assinatura',
  },
})
