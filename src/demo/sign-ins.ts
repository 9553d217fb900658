// The people of the demo, all of them: who signs in with its password, which is public.
import type { Scope } from '#kernel/values/permissions.ts'
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

/** What somebody does for a living, by which a page may introduce them. */
export type DemoOccupation =
  | 'administrator'
  | 'support'
  | 'sales'
  | 'finance'
  | 'operations'
  | 'auditor'
  | 'owner'
  | 'technical'
  | 'purchasing'
  | 'visitor'

type DemoStaff = { name: string; email: string; role: StaffRoleName }

/** A person for each role of staff; the administrator comes first. */
export const DEMO_STAFF = [
  { name: 'Administrator', email: 'staff@titular.example', role: 'administrator' },
  { name: 'Sofia Prado', email: 'sofia.support@titular.example', role: 'support' },
  { name: 'Saulo Mota', email: 'saulo.sales@titular.example', role: 'sales' },
  { name: 'Flora Dias', email: 'flora.finance@titular.example', role: 'finance' },
  { name: 'Otto Reis', email: 'otto.operations@titular.example', role: 'operations' },
  { name: 'Alice Luz', email: 'alice.auditor@titular.example', role: 'auditor' },
] as const satisfies readonly DemoStaff[]

/** Somebody of a customer. The owner comes first, whose scopes are all. */
export type DemoMember = {
  name: string
  email: string
  role: 'owner' | 'admin' | 'member' | 'guest'
  scopes: Scope[]
  does: DemoOccupation
}

const EVERY: Scope[] = [
  'organization',
  'finances',
  'orders',
  'licenses',
  'tickets',
  'quotes',
  'contracts',
  'documents',
  'downloads',
]
const MONEY: Scope[] = ['quotes', 'finances', 'orders']
const TECHNOLOGY: Scope[] = ['tickets', 'licenses', 'documents']

const owner = (name: string, email: string): DemoMember => ({ name, email, role: 'owner', scopes: [], does: 'owner' })
const member = (name: string, email: string, scopes: Scope[], does: DemoOccupation): DemoMember => ({
  name,
  email,
  role: 'member',
  scopes,
  does,
})

/** By the organization that they belong to. The last three have a history (src/demo/history). */
export const DEMO_MEMBERS = {
  'Padaria São João': [
    owner('Ana Souza', 'ana@padaria.example'),
    { name: 'Bruno Lima', email: 'bruno@padaria.example', role: 'admin', scopes: EVERY, does: 'technical' },
    member('Carla Nunes', 'carla@padaria.example', MONEY, 'finance'),
    { name: 'Davi Rocha', email: 'davi@padaria.example', role: 'guest', scopes: [], does: 'visitor' },
  ],
  'Northwind Hosting': [
    owner('Erin Walsh', 'erin@northwind.example'),
    member('Frank Osei', 'frank@northwind.example', TECHNOLOGY, 'technical'),
  ],
  'Colégio Horizonte': [
    owner('Helena Martins', 'helena@horizonte.example'),
    member('Rafael Teixeira', 'rafael@horizonte.example', TECHNOLOGY, 'technical'),
    member('Marina Alves', 'marina@horizonte.example', MONEY, 'finance'),
  ],
  'Livraria Aurora': [
    owner('Tiago Bezerra', 'tiago@aurora.example'),
    member('Luana Freire', 'luana@aurora.example', MONEY, 'finance'),
  ],
  'Harbor Analytics': [
    owner('Grace Lindqvist', 'grace@harbor.example'),
    member('Omar Haddad', 'omar@harbor.example', TECHNOLOGY, 'technical'),
  ],
} as const satisfies Record<string, readonly DemoMember[]>
export type DemoOrganization = keyof typeof DEMO_MEMBERS

export const DEMO_SIGN_INS: DemoSignIns = {
  password: 'demo-titular-2026',
  staff: DEMO_STAFF.map(({ email }) => email),
}

/** `organization` is null for staff, who work for all customers. */
export type DemoPerson = { name: string; email: string; does: DemoOccupation; organization: string | null }

/**
 * Everybody whom a sign-in page may offer, staff first. `hasStaff`: only where the service is for this machine alone
 * does the demo have them (`Config.isLocal`). Whether the demo was loaded is for the caller to know.
 */
export const demoPeople = ({ hasStaff }: { hasStaff: boolean }): DemoPerson[] => [
  ...(hasStaff ? DEMO_STAFF.map(({ name, email, role }) => ({ name, email, does: role, organization: null })) : []),
  ...Object.entries(DEMO_MEMBERS).flatMap(([organization, people]: [string, readonly DemoMember[]]) =>
    people.map(({ name, email, does }) => ({ name, email, does, organization })),
  ),
]
