// How a person proves who they are: password, authenticator app, passkeys.
import { Button, Stack, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Section } from '../../parts/section.tsx'
import type { Action, Field } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { AddPasskey } from './add-passkey.tsx'
import { AddTotp } from './add-totp.tsx'

const current: Field = { field: 'current_password', as: 'password', isRequired: true }
const hasTotp = ({ totp_enabled_at }: Readonly<Record<string, unknown>>): boolean => typeof totp_enabled_at === 'string'

const ACTS: readonly Action[] = [
  {
    name: 'changePassword',
    operation: api.updateMe,
    isMine: true,
    isMain: true,
    form: [current, { field: 'password', as: 'password', isRequired: true }],
  },
  {
    name: 'changeEmail',
    operation: api.updateMe,
    isMine: true,
    form: [{ field: 'email', isRequired: true }, current],
  },
  {
    name: 'renewRecoveryCodes',
    operation: api.renewRecoveryCodes,
    isMine: true,
    isOffered: hasTotp,
    form: [{ field: 'code', isRequired: true }],
    shows: ['recovery_codes'],
  },
  {
    name: 'disableTotp',
    operation: api.disableTotp,
    isMine: true,
    isOffered: hasTotp,
    form: [current, { field: 'code', isRequired: true }],
    isDangerous: true,
  },
]

export function Screen({ here }: ScreenProps) {
  const { texts } = usePerson()
  const { data, error } = useQuery({ queryKey: ['me', 'mfa'], queryFn: () => here.client.call(api.getMfa) })
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2">
        {texts.screens.security}
      </Title>
      {error && <Problem error={error} />}
      {data && (
        <>
          <Facts
            columns={[
              { field: 'totp_enabled_at', as: 'time' },
              { field: 'recovery_codes_left', as: 'number' },
              { field: 'passkeys', as: 'number' },
            ]}
            record={data}
          />
          <Stack gap="xs" align="stretch">
            {!hasTotp(data) && <AddTotp client={here.client} />}
            <AddPasskey client={here.client} />
            <Button component={Link} to="/me/device" variant="default">
              {texts.screens.device}
            </Button>
            <Acts actions={ACTS} client={here.client} place={here} scope="" record={data} at={{}} />
          </Stack>
          <Section
            section={{
              name: 'passkeys',
              list: api.listPasskeys,
              at: () => ({}),
              columns: [{ field: 'name' }, { field: 'created_at', as: 'time' }, { field: 'last_used_at', as: 'time' }],
              actions: [
                {
                  name: 'updatePasskey',
                  operation: api.updatePasskey,
                  reads: api.getPasskey,
                  isMine: true,
                  at: ({ id }) => ({ id }),
                  form: [{ field: 'name', isRequired: true, first: ({ name }) => name }],
                },
                {
                  name: 'deletePasskey',
                  operation: api.deletePasskey,
                  reads: api.getPasskey,
                  isMine: true,
                  at: ({ id }) => ({ id }),
                  isDangerous: true,
                },
              ],
            }}
            here={here}
            scope=""
            record={data}
            at={{}}
          />
        </>
      )}
    </Stack>
  )
}
