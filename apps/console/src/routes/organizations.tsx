// The organization that the person works in, and the choice of another one of theirs.
import { NativeSelect, Text } from '@mantine/core'
import { getOrganization } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePerson } from '../context.tsx'
import { setOwnCompany } from '../entity.ts'
import { hereIn } from '../place.ts'

export function Organizations({ organization }: { organization: number | null }) {
  const { user, texts, language, mayIn } = usePerson()
  const navigate = useNavigate()
  const membership = user.organizations.find(({ id }) => id === organization)
  const isVisit = organization !== null && !membership
  const { data: visited } = useQuery({
    queryKey: [organization, 'organization'],
    enabled: isVisit && mayIn({ organization }, 'organization', 'read'),
    queryFn: () => hereIn(organization, language).client.call(getOrganization, { id: organization ?? 0 }),
  })
  const company = membership?.company ?? null
  useEffect(() => setOwnCompany(company), [company])
  if (isVisit) return <Text truncate>{visited?.name ?? ''}</Text>
  if (user.organizations.length === 0) return null
  return (
    <NativeSelect
      miw={0}
      aria-label={texts.app.organization}
      value={organization === null ? '' : String(organization)}
      data={[
        ...(organization === null ? [{ value: '', label: texts.app.organization }] : []),
        ...user.organizations.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') void navigate({ to: '/o/$organization', params: { organization: value } })
      }}
    />
  )
}
