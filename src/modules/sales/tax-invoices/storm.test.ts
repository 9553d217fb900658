// Random operations at once, from seeds: payments, credit notes, voided invoices, retries, cancellations, substitutions and
// several runs of the worker, while the authority answers, refuses, loses answers, is late or away. In the end nothing is
// issued twice.
import { expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { lineOf, openInvoice } from '#test/scenes/paid-invoices.ts'
import { type ScriptedAnswer } from '#test/stand-ins/tax-authority.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

const REFUSED = [{ code: 'E0188', message: 'CNPJ inválido', detail: null }]
const CANCEL_ANSWERS: ScriptedAnswer[] = ['issue', 'lost', 'issued_unseen', 'late', 'away', REFUSED]
/** Mostly answers that are hard to tell apart. */
const ISSUE_ANSWERS: ScriptedAnswer[] = [...CANCEL_ANSWERS, 'breaks', 'late', 'late', REFUSED]
const FINDS = ['answer', 'answer', 'answer', 'away', 'unclear'] as const
const WHY = 'It was decided so, by a die'

function dieOf(seed: number) {
  let state = seed
  return <Face>(faces: readonly Face[]): Face | undefined => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return faces[Math.floor(state / 65_536) % faces.length]
  }
}
type Die = ReturnType<typeof dieOf>

type Row = {
  id: number
  invoice_id: number
  status: string
  substatus: string | null
  rps_number: number
  access_key: string | null
  total: string
  line_numbers: number[]
}
const rowsOf = (scene: TaxScene) => scene.app.database.query<Row>('select * from tax_invoices order by id')

const numbers = Array.from({ length: 99 }, (_, index) => index)
const several = <Face>(count: number, die: Die, faces: readonly Face[]): Face[] =>
  Array.from({ length: count }, () => die(faces)).filter((face) => face !== undefined)

async function blow(scene: TaxScene, die: Die, invoices: number[]): Promise<number[]> {
  const { acme, authority } = scene
  authority.script.issue = several(6, die, ISSUE_ANSWERS)
  authority.script.cancel = several(4, die, CANCEL_ANSWERS)
  authority.script.find = several(4, die, FINDS)
  const ids = (await rowsOf(scene)).map(({ id }) => id)
  const acts = {
    retry: () => acme.staff.post(`/tax-invoices/${die(ids) ?? 1}/retry`),
    cancel: () => acme.staff.post(`/tax-invoices/${die(ids) ?? 1}/cancel`, { reason_code: '9', reason: WHY }),
    replace: () => acme.staff.post(`/tax-invoices/${die(ids) ?? 1}/substitute`, { reason_code: '99', reason: WHY }),
    issue: () => acme.staff.post('/tax-invoices', { invoice_id: die(invoices) }),
    pay: () => acme.staff.post(`/invoices/${die(invoices)}/pay`, {}),
    credit: () =>
      acme.staff.post(`/invoices/${die(invoices)}/credit-notes`, { reason: WHY, amount: `${die(numbers)}.37` }),
  }
  const answers = several(8, die, Object.values(acts)).map((act) => act())
  if (die([true, false, false])) answers.push(acme.staff.post(`/invoices/${die(invoices)}/void`))
  await Promise.all([...answers, scene.work(), scene.work()])
  if (die([true, false, false])) await scene.workLong(1)
  if (die([true, false, false, false])) await scene.sweep()
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** Violations of what must always hold. */
function wrongIn({ authority }: TaxScene, rows: Row[]): string[] {
  const own = rows.flatMap(({ id, status, substatus, rps_number, access_key }) => {
    const isThere = authority.issued.has(`DPS-1-${rps_number}`)
    const isAsked = authority.cancelled.some(({ accessKey }) => accessKey === access_key)
    const is = (name: string, isSo: boolean) => (isSo ? [`${id} is ${name} (${status}, ${substatus})`] : [])
    return [
      ...is('still waiting', status === 'pending' || substatus === 'cancelling'),
      ...is('issued here only', status === 'issued' && !isThere),
      ...is('issued there only', isThere && access_key === null && substatus !== 'unclear'),
      ...is('cancelled here only', status === 'cancelled' && isThere && !isAsked && substatus !== 'substituted'),
    ]
  })
  const invoices = Map.groupBy(
    rows.filter(({ status }) => status === 'issued'),
    ({ invoice_id }) => invoice_id,
  )
  const sums = [...invoices].flatMap(([invoice, live]) => {
    const cents = live.reduce((sum, { total }) => sum + Math.round(Number(total) * 100), 0)
    const lines = live.flatMap(({ line_numbers }) => line_numbers)
    return cents > 15_000 || new Set(lines).size < lines.length
      ? [`invoice ${invoice}: ${cents}, lines ${lines.join()}`]
      : []
  })
  return [...own, ...sums]
}

/** Tax invoices in force of voided invoices about which no dead letter tells staff. */
const forgottenIn = ({ app }: TaxScene) =>
  app.database.query(`
    select t.id, t.status, t.substatus from tax_invoices t join invoices i on i.organization_id = t.organization_id and i.id = t.invoice_id
     where i.status = 'void' and t.status <> 'cancelled'
       and i.id::text not in (select payload ->> 'resource_id' from jobs
                               where kind = 'tax-invoices/cancel-voided' and dead_at is not null)`)

it.each(seeds([1], [2]))('seed %i', async (seed) => {
  const scene = await taxScene()
  const die = dieOf(seed)
  const lines = [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')]
  const invoices: number[] = []
  for (let count = 0; count < 20; count++) invoices.push(await openInvoice(scene.app, scene.acme, { lines }))
  const statuses: number[] = []
  for (let round = 0; round < 40; round++) statuses.push(...(await blow(scene, die, invoices)))
  scene.authority.script = { issue: [], find: [], cancel: [], prepare: [] }
  await scene.workLong(30)
  await scene.sweep()
  await scene.workLong(30)
  const rows = await rowsOf(scene)
  expect(wrongIn(scene, rows)).toEqual([])
  expect(await forgottenIn(scene)).toEqual([])
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(rows.map(({ rps_number }) => rps_number).toSorted((one, other) => one - other)).toEqual(
    rows.map((_, index) => index + 1),
  )
  expect(new Set(rows.map(({ status }) => status)).size).toBeGreaterThan(1)
  await scene.app.close()
})
