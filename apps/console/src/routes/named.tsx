// What the name in an address stands for: a list, a record or a screen of its own.
import { Loader } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import { Suspense, use } from 'react'
import { usePerson } from '../context.tsx'
import { List, type Search } from '../parts/list.tsx'
import { RecordView } from '../parts/record.tsx'
import type { Here } from '../place.ts'
import { kindByName } from '../resources/directory.ts'
import type { Kind, Resource } from '../resources/resource.ts'
import { screenOf } from '../screens.ts'
import { NotFound } from './frame.tsx'
import { isOpenTo } from './menu.ts'
import { useChangeOfSearch, useHere } from './where.ts'

export function Named() {
  const { name = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = useHere()
  const kind = kindByName(name)
  if (!here || !kind?.places[here.place]) return <Own />
  return (
    <Suspense fallback={<Loader />}>
      <ListOf key={`${here.key} ${name}`} {...{ kind, search, onSearch, here }} />
    </Suspense>
  )
}

export function One() {
  const { name = '', id = '' } = useParams({ strict: false })
  const here = useHere()
  const kind = kindByName(name)
  if (!here || kind?.places[here.place] !== 'page') return <Own />
  if (!kind.keyOf && !/^[1-9]\d{0,14}$/.test(id)) return <NotFound />
  return (
    <Suspense fallback={<Loader />}>
      <RecordOf key={`${here.key} ${name} ${id}`} {...{ kind, id, here }} />
    </Suspense>
  )
}

const resources = new Map<string, Promise<Resource>>()

/** Asked for once: where it could not be had the page is loaded again (parts/broken.tsx), as for every other part. */
function resourceOf(kind: Kind): Promise<Resource> {
  const known = resources.get(kind.name)
  if (known) return known
  const begun = kind.load().then((declaration) => ({ ...kind, ...declaration }))
  resources.set(kind.name, begun)
  return begun
}

type ListOfProps = { kind: Kind; here: Here; search: Search; onSearch: (search: Search) => void }

function ListOf({ kind, here, ...address }: ListOfProps) {
  const resource = use(resourceOf(kind))
  const records = resource[here.place]
  return records ? <List {...{ resource, records, here }} {...address} /> : <NotFound />
}

function RecordOf({ kind, id, here }: { kind: Kind; id: string; here: Here }) {
  const resource = use(resourceOf(kind))
  const get = resource[here.place]?.get
  return get ? <RecordView {...{ resource, get, id, here }} /> : <NotFound />
}

function Own() {
  const { name = '', id = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = useHere()
  const person = usePerson()
  const screen = here && screenOf(here.place, name)
  if (!here || !screen || !isOpenTo(person, here, screen)) return <NotFound />
  return (
    <Suspense fallback={<Loader />}>
      <screen.Component key={`${here.key} ${name}`} rest={id} {...{ search, onSearch, here }} />
    </Suspense>
  )
}
