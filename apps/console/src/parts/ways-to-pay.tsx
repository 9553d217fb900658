// How an invoice can be paid: the provider's page, Pix with its picture, boleto, transfer. They come a moment after the
// invoice, since the provider makes them: until then it is asked again.
import { Alert, Anchor, Button, Card, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { getInvoicePaymentOptions } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderSVG } from 'uqr'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { filled, ownTexts, timeIn } from '../texts/texts.ts'
import { AGAIN_MS } from './list.tsx'
import { Problem } from './problem.tsx'

/** Asked less and less often: where no provider is set up nothing will come. */
const LONGEST_MS = 60_000

export function WaysToPay({ here, id }: { here: Here; id: number }) {
  const { texts, language, user } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: [here.key, 'invoices', 'ways-to-pay', id],
    queryFn: () => here.client.call(getInvoicePaymentOptions, { id }),
    refetchInterval: ({ state }) =>
      state.data && Object.values(state.data.options).every((one) => one === null)
        ? Math.min(AGAIN_MS * 2 ** (state.dataUpdateCount - 1), LONGEST_MS)
        : false,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return null
  const { page, pix, boleto, bank_transfer: transfer } = data.options
  const isMember = user.organizations.some((one) => one.id === here.organization)
  const until = (time: string | null): ReactNode =>
    time !== null && (
      <Text size="sm" c="dimmed">
        {filled(own.until, { time: timeIn(language, time) })}
      </Text>
    )
  return (
    <Card withBorder component="section" className="no-print">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {own.title}
          </Title>
          {page && isMember && (
            <Button component="a" href={page.url}>
              {texts.actions.payInvoice}
            </Button>
          )}
        </Group>
        {!page && !pix && !boleto && !transfer && <Alert role="status">{own.wait}</Alert>}
        {pix && (
          <Way title={own.pix} what={own.pixHelp}>
            <Group align="flex-start">
              <img
                alt={own.picture}
                width={180}
                src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(pix.copy_code, { ecc: 'M', border: 2 }))}`}
              />
              <Stack gap="xs" flex={1} miw={220}>
                <Copied value={pix.copy_code} label={own.copyPix} />
                {until(pix.expires_at)}
              </Stack>
            </Group>
          </Way>
        )}
        {boleto && (
          <Way title={own.boleto} what={own.boletoHelp}>
            <Copied value={boleto.line} label={own.copyLine} />
            {boleto.pdf_url !== null && (
              <Anchor href={boleto.pdf_url} target="_blank" rel="noreferrer">
                {own.boletoPdf}
              </Anchor>
            )}
            {until(boleto.expires_at)}
          </Way>
        )}
        {transfer && (
          <Way title={own.transfer} what={own.transferHelp}>
            <Stack component="dl" gap={4} m={0}>
              {[...transfer.details, { label: own.reference, value: transfer.reference }].map(({ label, value }) => (
                <Group key={label} gap="xs">
                  <Text component="dt" c="dimmed" size="sm">
                    {label}
                  </Text>
                  <Text component="dd" m={0}>
                    {value}
                  </Text>
                </Group>
              ))}
            </Stack>
          </Way>
        )}
        {data.url !== null && (page || pix || boleto || transfer) && (
          <Way title={own.link} what={own.linkHelp}>
            <Copied value={data.url} label={own.copyLink} />
          </Way>
        )}
      </Stack>
    </Card>
  )
}

function Way({ title, what, children }: { title: string; what: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm">{what}</Text>
      {children}
    </Stack>
  )
}

function Copied({ value, label }: { value: string; label: string }) {
  const { texts } = usePerson()
  return (
    <Stack gap="xs" align="flex-start">
      <Code block w="100%" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {copied ? texts.act.copied : label}
          </Button>
        )}
      </CopyButton>
    </Stack>
  )
}

const TEXTS = ownTexts({
  en: {
    title: 'How to pay',
    wait: 'The payment page is being made. It appears here by itself.',
    pix: 'Pix',
    pixHelp: 'Scan the picture with your bank’s app, or copy the code into it.',
    picture: 'The Pix code as a QR code',
    copyPix: 'Copy the Pix code',
    boleto: 'Boleto',
    boletoHelp: 'Type this line into your bank’s program.',
    copyLine: 'Copy the line',
    boletoPdf: 'The boleto as a paper',
    transfer: 'Bank transfer',
    transferHelp: 'Name the reference, so that your payment is found.',
    reference: 'Reference',
    link: 'For whoever pays',
    linkHelp: 'This page shows the same to everybody who has its address, without signing in.',
    copyLink: 'Copy the address',
    until: 'Valid until {time}',
  },
  'pt-BR': {
    title: 'Como pagar',
    wait: 'A página de pagamento está sendo criada. Ela aparece aqui sozinha.',
    pix: 'Pix',
    pixHelp: 'Leia a imagem com o aplicativo do seu banco, ou copie o código para ele.',
    picture: 'O código Pix como QR code',
    copyPix: 'Copiar o código Pix',
    boleto: 'Boleto',
    boletoHelp: 'Digite esta linha no programa do seu banco.',
    copyLine: 'Copiar a linha',
    boletoPdf: 'O boleto em PDF',
    transfer: 'Transferência bancária',
    transferHelp: 'Informe a referência, para que o pagamento seja encontrado.',
    reference: 'Referência',
    link: 'Para quem paga',
    linkHelp: 'Esta página mostra o mesmo a quem tiver o endereço, sem entrar.',
    copyLink: 'Copiar o endereço',
    until: 'Válido até {time}',
  },
})
