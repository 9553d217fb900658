// The sign-ins of the demo, which are public.
import type { StaffRoleName } from '#kernel/values/staff-roles.ts'
import type { DemoSignIns } from '#http/server/local-only.ts'

/** As the start shows it. */
export type SignIn = {
  email: string
  password: string
  role: string
  organization: string
  organizationId: number | null
}

type DemoPerson = { name: string; email: string; role: StaffRoleName }

/** A person for each role of staff; the administrator comes first. */
export const DEMO_STAFF = [
  { name: 'Administrator', email: 'staff@titular.example', role: 'administrator' },
  { name: 'Sofia Prado', email: 'sofia.support@titular.example', role: 'support' },
  { name: 'Saulo Mota', email: 'saulo.sales@titular.example', role: 'sales' },
  { name: 'Flora Dias', email: 'flora.finance@titular.example', role: 'finance' },
  { name: 'Otto Reis', email: 'otto.operations@titular.example', role: 'operations' },
  { name: 'Alice Luz', email: 'alice.auditor@titular.example', role: 'auditor' },
] as const satisfies readonly DemoPerson[]

export const DEMO_SIGN_INS: DemoSignIns = {
  password: 'demo-titular-2026',
  staff: DEMO_STAFF.map(({ email }) => email),
}
