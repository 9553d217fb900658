// What the name in an address stands for: a list, a record or a screen of its own.
import { Loader } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { List } from '../parts/list.tsx'
import { RecordView } from '../parts/record.tsx'
import { resourceOf } from '../resources/resources.ts'
import { screenOf } from '../screens.ts'
import { NotFound } from './frame.tsx'
import { useChangeOfSearch, useHere } from './where.ts'

export function Named() {
  const { name = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = useHere()
  const resource = resourceOf(name)
  const records = here ? resource?.[here.place] : undefined
  if (!here || !resource || !records) return <Own />
  return <List key={`${here.key} ${name}`} {...{ resource, records, search, onSearch, here }} />
}

export function One() {
  const { name = '', id = '' } = useParams({ strict: false })
  const here = useHere()
  const resource = resourceOf(name)
  const get = here ? resource?.[here.place]?.get : undefined
  if (!here || !resource || !get) return <Own />
  if (!resource.keyOf && !/^[1-9]\d{0,14}$/.test(id)) return <NotFound />
  return <RecordView key={`${here.key} ${name} ${id}`} {...{ resource, get, id, here }} />
}

function Own() {
  const { name = '', id = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = useHere()
  const screen = here && screenOf(here.place, name)
  if (!here || !screen) return <NotFound />
  return (
    <Suspense fallback={<Loader />}>
      <screen.Component key={`${here.key} ${name}`} rest={id} {...{ search, onSearch, here }} />
    </Suspense>
  )
}
