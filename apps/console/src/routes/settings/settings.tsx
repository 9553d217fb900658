// The settings of a legal entity, and those that both share: as they are in force, and how they were before.
import { Button, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { adminGetSettings, adminUpdateSettings, type DataOf, PreconditionError, ValidationError } from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { noteFailure } from '../../client.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { useBegun } from '../../parts/begun.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useFieldNames } from '../../parts/field-problems.ts'
import { placed } from '../../parts/place-problems.ts'
import { useReason } from '../../parts/reason.tsx'
import type { Item } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { History } from './history.tsx'
import { Logo } from './logo.tsx'
import { Setting } from './setting.tsx'
import { OF_FINANCE } from './known-settings.ts'
import { settingsTexts } from './texts.ts'

const COMPANIES = ['entity_br', 'entity_global', 'vendor'] as const

export function Screen({ here, rest }: ScreenProps) {
  const own = useOwnTexts(settingsTexts)
  const navigate = useNavigate()
  const company = COMPANIES.find((one) => one === rest) ?? 'entity_br'
  return (
    <Stack>
      <Title order={1} size="h2">
        {own.title}
      </Title>
      <Tabs value={company} onChange={(to) => void navigate({ to: `/all/settings/${to}` })} keepMounted={false}>
        <Tabs.List>
          {COMPANIES.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {own.companies[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={company} pt="md">
          <OfCompany key={company} here={here} company={company} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

type OfCompanyProps = Pick<ScreenProps, 'here'> & { company: (typeof COMPANIES)[number] }

function OfCompany({ here, company }: OfCompanyProps) {
  const queries = useQueryClient()
  const key = [here.key, 'settings', company]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => here.client.answer(adminGetSettings, { company }),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} aria-hidden />
  // Their history is below the same key.
  const reread = (): Promise<void> => queries.invalidateQueries({ queryKey: key })
  return <Settings here={here} company={company} read={data} onChanged={reread} />
}

type SettingsProps = OfCompanyProps & {
  read: { data: DataOf<typeof adminGetSettings>; etag: string | null }
  onChanged: () => Promise<unknown>
}

function Settings({ here, company, read, onChanged }: SettingsProps) {
  const { texts, may } = usePerson()
  const own = useOwnTexts(settingsTexts)
  const [changed, setChanged] = useState<Item>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const reason = useReason(failure)
  const { data } = read
  const begun = useBegun({ data: data.settings, etag: read.etag }, failure, own.names)
  const settings = Object.entries(data.settings)
  const problems = failure instanceof ValidationError ? failure.fields : {}
  // Of a part of a setting too, such as `bank_account.0.label`.
  const { beside } = placed(
    problems,
    Object.keys(data.settings),
    useFieldNames({ label: own.pairLabel, value: own.pairValue }),
  )
  const mayChange = (name: string): boolean => may(OF_FINANCE.has(name) ? 'finances:write' : 'settings:write')
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSaving(true)
    setFailure(null)
    try {
      await here.client.call(adminUpdateSettings, { company, body: changed }, { ...begun.options, ...reason.options })
      giveUp()
      await onChanged()
    } catch (refused) {
      setFailure(refused)
      noteFailure(refused)
      if (refused instanceof PreconditionError) await onChanged()
    }
    setSaving(false)
  }
  const giveUp = (): void => {
    setChanged({})
    begun.end()
  }
  return (
    <Stack gap="xl">
      <form onSubmit={(event) => void save(event)} noValidate>
        <Stack gap="lg" maw={720}>
          {settings.map(([name, value]) => (
            <Setting
              key={name}
              name={name}
              value={name in changed ? changed[name] : value}
              inForce={value}
              error={beside[name]}
              isFixed={!mayChange(name)}
              change={data.changed.find((one) => one.setting === name)}
              onChange={(next) => {
                begun.begin()
                setChanged({ ...changed, [name]: next })
              }}
            />
          ))}
          {reason.field}
          {begun.conflict ?? (failure !== null && !(failure instanceof ValidationError) && <Problem error={failure} />)}
          {settings.some(([name]) => mayChange(name)) && (
            <Group>
              <Button type="submit" loading={isSaving} disabled={Object.keys(changed).length === 0}>
                {own.save}
              </Button>
              {Object.keys(changed).length > 0 && (
                <>
                  <Button variant="default" onClick={giveUp}>
                    {texts.act.cancel}
                  </Button>
                  <Text size="sm" c="dimmed" role="status">
                    {own.unsaved}
                  </Text>
                </>
              )}
            </Group>
          )}
        </Stack>
      </form>
      {company !== 'vendor' && may('settings:write') && <Logo here={here} company={company} record={data} />}
      <History here={here} company={company} />
    </Stack>
  )
}
