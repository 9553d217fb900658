// The fields of an act that has an address, which is filled once a Brazilian postal code was typed.
import { Stack, Text } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useOwnTexts } from '../context.tsx'
import { Form, type FormProps, type Values } from './form.tsx'
import { textOf } from '../resources/resource.ts'
import { ownTexts } from '../texts/texts.ts'

const FIELDS = ['address', 'neighborhood', 'city', 'state'] as const

/** Its eight digits; empty for what is no postal code, and outside Brazil. */
function brazilianCode({ zipcode, country }: Values): string {
  const code = /^(\d{5})-?(\d{3})$/.exec(textOf(zipcode).trim())
  const isBrazil = /^(br(a|asil|azil)?)?$/i.test(textOf(country).trim())
  return code && isBrazil ? `${code[1]}${code[2]}` : ''
}

export function AddressForm(props: FormProps) {
  const { form, client, values, onChange } = props
  const own = useOwnTexts(addressTexts)
  /** What the form said when its code was last another one. The code that was there already is not asked for. */
  const [question, setQuestion] = useState(() => ({ zipcode: brazilianCode(values), values, isNew: false }))
  const { data: answer } = useQuery({
    queryKey: ['postal code', question],
    enabled: question.isNew,
    staleTime: 'static',
    queryFn: () => client.call(api.getPostalCode, { zipcode: question.zipcode }),
  })
  /** What the answer before has filled. */
  const [filled, setFilled] = useState<Values>({})
  useEffect(() => {
    if (answer?.status !== 'found') return
    // What was typed since the question stays; what belonged to the code before goes.
    const untouched = FIELDS.filter((name) => values[name] === question.values[name])
    const address = Object.fromEntries(
      untouched.flatMap((name) =>
        answer[name] ? [[name, answer[name]]] : filled[name] === values[name] ? [[name, '']] : [],
      ),
    )
    if (Object.keys(address).length === 0) return
    const isElsewhere = 'city' in address && address['city'] !== values['city']
    setFilled(address)
    onChange({ ...values, ...address, ...(isElsewhere && 'ibge_code' in values && { ibge_code: '' }) })
  }, [question, answer])
  const isFilled = FIELDS.some((name) => answer?.[name] && answer[name] === values[name])
  const after = form.findIndex(({ field }) => field === 'zipcode') + 1
  return (
    <Stack
      onBlur={() => {
        const zipcode = brazilianCode(values)
        if (zipcode !== '' && zipcode !== question.zipcode) setQuestion({ zipcode, values, isNew: true })
      }}
    >
      <Form {...props} form={form.slice(0, after)} />
      <Text role="status" size="sm" c="dimmed" mt={isFilled ? 0 : 'calc(var(--stack-gap) * -1)'}>
        {isFilled && own.isFilled}
      </Text>
      <Form {...props} form={form.slice(after)} />
    </Stack>
  )
}

const addressTexts = ownTexts({
  en: { isFilled: 'The address was filled by the postal code.' },
  'pt-BR': { isFilled: 'O endereço foi preenchido pelo CEP.' },
})
