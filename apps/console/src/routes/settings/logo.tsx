// The logo of a legal entity: as it is now, a new one, or none.
import { Group, Text } from '@mantine/core'
import { adminDeleteLogo, adminUpdateLogo } from '@titular/sdk'
import { useEffect, useState } from 'react'
import { usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import type { Here } from '../../place.ts'
import { type Action, isItem, type Item, textOf } from '../../resources/resource.ts'

const ACTS: readonly Action[] = [
  {
    name: 'updateLogo',
    operation: adminUpdateLogo,
    permission: 'settings:write',
    form: [{ field: 'file', as: 'file', isRequired: true }],
  },
  {
    name: 'deleteLogo',
    operation: adminDeleteLogo,
    permission: 'settings:write',
    isOffered: ({ logo }) => isItem(logo),
    isDangerous: true,
  },
]

export function Logo({ here, company, record }: { here: Here; company: string; record: Item }) {
  const { texts } = usePerson()
  const { logo } = record
  const address = `/api/v1/brand/logo?company=${company}`
  const hash = isItem(logo) ? textOf(logo['sha256']) : ''
  const [shown, setShown] = useState('')
  useEffect(() => {
    // What the browser keeps may be five minutes old.
    if (hash !== '') void fetch(address, { cache: 'reload' }).then(() => setShown(hash))
  }, [address, hash])
  return (
    <Group>
      {isItem(logo) ? <img key={shown} alt={texts.fields.logo} height={48} src={address} /> : <Text c="dimmed">–</Text>}
      <Acts actions={ACTS} client={here.client} place={here} scope="settings" record={record} at={{ company }} />
    </Group>
  )
}
