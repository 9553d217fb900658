// Where the problems of fields stand: beside the field that they belong to, by its label, and counted from 1.
import { ValidationError } from '@titular/sdk'
import { useOwnTexts, usePerson } from '../context.tsx'
import { filled, nameOf, ownTexts } from '../texts/texts.ts'
import { MissingFields, placed, saidOf, type Says } from './place-problems.ts'
import { REASON } from './reason.tsx'

const TEXTS = ownTexts({
  en: { value: 'Value {number}', required: 'is required', fill: 'Fill in what is marked.' },
  'pt-BR': { value: 'Valor {number}', required: 'é obrigatório', fill: 'Preencha o que está marcado.' },
})

/** `names`: of fields that have their own, such as settings. */
export function useFieldNames(names: Readonly<Record<string, string>> = {}): Says {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  return {
    labelOf: (field) => nameOf({ ...texts.fields, ...names }, field),
    valueOf: (number) => filled(own.value, { number: String(number) }),
  }
}

/** What stands beside the fields, and what belongs to none of them. */
export function useFieldProblems(error: unknown, form: readonly { field: string }[]) {
  const own = useOwnTexts(TEXTS)
  const says = useFieldNames()
  const fields = form.map(({ field }) => field)
  if (error instanceof MissingFields)
    return {
      beside: Object.fromEntries(error.fields.map((field) => [field, own.required])),
      others: [],
      said: own.fill,
    }
  const problems = error instanceof ValidationError ? error.fields : {}
  const { beside, others } = placed(problems, fields, says)
  return {
    beside,
    others: others.filter(([path]) => path !== REASON).map(([path, problem]) => saidOf(path, problem, says)),
    said: null,
  }
}
