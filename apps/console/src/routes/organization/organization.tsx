// The organization: what papers say of it, who gets which mails, and its end.
import { Group, Skeleton, Stack, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Section } from '../../parts/section.tsx'
import type { Action, Column, Field, FieldName } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'

const FIELDS: readonly FieldName[] = [
  'name',
  'legal_name',
  'cnpj',
  'state_registration',
  'municipal_registration',
  'email',
  'tax_email',
  'phone',
  'website',
  'zipcode',
  'address',
  'address_number',
  'address2',
  'neighborhood',
  'city',
  'state',
  'country',
  'ibge_code',
]

const ACTS: readonly Action[] = [
  {
    name: 'updateOrganization',
    operation: api.updateOrganization,
    isAdmins: true,
    isMain: true,
    form: FIELDS.map((field): Field => ({
      field,
      first: (record) => record[field],
      ...(field === 'name' ? { isRequired: true } : { clears: true }),
    })),
  },
  {
    name: 'requireSecondFactor',
    operation: api.updateOrganization,
    isAdmins: true,
    form: [{ field: 'require_mfa', as: 'yesNo', first: ({ require_mfa }) => require_mfa }],
  },
  {
    name: 'deleteOrganization',
    operation: api.deleteOrganization,
    isOwners: true,
    isPreviewed: true,
    isDangerous: true,
  },
]

const COLUMNS: readonly Column[] = [
  ...FIELDS.map((field): Column => ({ field })),
  { field: 'verification_status', as: 'status' },
  { field: 'require_mfa', as: 'yesNo' },
]

export function Screen({ here }: ScreenProps) {
  const { refresh } = usePerson()
  const navigate = useNavigate()
  const at = { id: here.organization ?? 0 }
  const {
    data: read,
    error,
    isPending,
  } = useQuery({
    queryKey: [here.key, 'organization', 'record'],
    queryFn: () => here.client.answer(api.getOrganization, at),
  })
  if (error) return <Problem error={error} />
  if (isPending) return <Skeleton height={320} aria-hidden />
  const { data, etag } = read
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {data.name}
        </Title>
        <Group>
          <Acts
            actions={ACTS}
            client={here.client}
            place={here}
            scope="organization"
            record={data}
            at={at}
            etag={etag}
            onDone={(answer) => {
              refresh()
              if (answer === null) void navigate({ to: '/' })
            }}
          />
        </Group>
      </Group>
      <Facts columns={COLUMNS} record={data} />
      <Section
        section={{
          name: 'contacts',
          list: api.getOrganizationContacts,
          columns: [
            { field: 'role', as: 'value' },
            { field: 'name' },
            { field: 'email' },
            { field: 'is_confirmed', as: 'yesNo' },
            { field: 'gets_mail', as: 'yesNo' },
          ],
          creates: {
            name: 'createContact',
            operation: api.createOrganizationContact,
            isAdmins: true,
            form: [
              { field: 'role', chooses: { values: ['billing', 'technical', 'legal'] }, isRequired: true },
              { field: 'email', isRequired: true },
              { field: 'name' },
              { field: 'language', chooses: { values: ['pt-BR', 'en'] } },
              { field: 'attachments', as: 'yesNo', first: () => true },
            ],
          },
          actions: [
            {
              name: 'deleteContact',
              operation: api.deleteOrganizationContact,
              isAdmins: true,
              isOffered: ({ id }) => typeof id === 'number',
              at: ({ id }) => ({ contact_id: id }),
              isDangerous: true,
            },
          ],
        }}
        here={here}
        scope="organization"
        record={data}
        at={at}
      />
    </Stack>
  )
}
