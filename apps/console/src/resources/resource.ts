// A kind of records as data: its lists, its record, and what may be done. parts/ draws them.
import type { AnyOperation, FileOperation } from '@titular/sdk'
import type { Confirm } from '../texts/en/confirm.ts'
import type { Language, Texts } from '../texts/en.ts'
import type { Section, TimeBar } from './section.ts'

export type Item = Readonly<Record<string, unknown>>
/** What a name is written with. */
export type Wording = { texts: Texts; language: Language }
export type FieldName = keyof Texts['fields']

export type Column = {
  field: FieldName
  /** How the value is written; a text by default. */
  as?:
    | 'money'
    | 'date'
    | 'time'
    | 'status'
    | 'value'
    | 'record'
    | 'act'
    | 'actor'
    | 'percent'
    | 'number'
    | 'code'
    | 'bytes'
    | 'link'
    | 'yesNo'
    | 'json'
    | 'slots'
    | 'age'
    | 'deadline'
    | 'changes'
    | 'inLanguage'
  /** Where the value is, if not in the field of that name. */
  of?: (record: Item, wording: Wording) => unknown
  /** The kind of record whose page the value opens, by its id. */
  opens?: keyof Texts['resources']
  /** Shown to staff alone. */
  isStaffs?: true
}

/** What can be chosen from: other records, or values with a name in `texts.values`. */
export type Choices =
  | {
      values: readonly string[]
      nameOf?: (value: string, wording: Wording) => string
      /** Those of them that staff alone may give. */
      ofStaff?: readonly string[]
    }
  | { list: AnyOperation; parameters?: object; labelOf: (record: Item) => string; idOf?: (record: Item) => unknown }

export type Field = {
  field: FieldName
  /** A text of one line by default. `lines` gives a list, one entry a line. */
  as?: 'long' | 'number' | 'money' | 'date' | 'yesNo' | 'lines' | 'password' | 'file' | 'time'
  isRequired?: true
  chooses?: Choices
  /** Which of the values it offers, where not all of them. */
  offers?: (value: string, record: Item, person: Viewer) => boolean
  /** Several of the choices. */
  several?: true
  /** What it says at first; what the record says in a change. */
  first?: (record: Item) => unknown
  /** Of several: none chosen is not sent, rather than an empty list. */
  isLeftOut?: true
  /** Asked of staff alone. */
  isStaffs?: true
  /** Sent as null where it was left empty, so that a change takes the value away. */
  clears?: true | undefined
}

/** Of the person, what decides whether an act is offered. */
export type Viewer = { id: number; may: (permission: string) => boolean }

export type ActionName = keyof Confirm & keyof Texts['actions']

export type Action = {
  name: ActionName
  operation: AnyOperation
  /** The scope that it needs besides that of the records. */
  scope?: string
  /** Who may, where not everybody who holds the scope may: `staff:write` is for permissions of staff alone. */
  permission?: string
  /** For who is admin or higher in the organization, and for staff. */
  isAdmins?: true
  /** For the owner of the organization, and for staff. */
  isOwners?: true
  /** Of the person themselves, so that no scope is asked for. */
  isMine?: true
  /** For members of the organization alone, such as accepting in their name. */
  isMembers?: true
  isOffered?: (record: Item, person: Viewer) => boolean
  /** Reads what a row of a list is first, so that the form begins with what is there now, and with its ETag. */
  reads?: AnyOperation
  form?: readonly Field[]
  /** What is always sent. */
  body?: Item
  bodyOf?: (record: Item, person: Viewer) => Item
  /** Makes the body of what was filled in, where the two differ. */
  shape?: (given: Item, record: Item) => Item
  /** More parameters of the path and of the query, such as the record's in a section. */
  at?: (record: Item, given: Item) => Item
  isMain?: true
  /** Also offered for several records of a list at once. */
  isBulk?: true
  isDangerous?: true
  /** Shows first what would follow (`dry_run`). */
  isPreviewed?: true
  /** Asks for no more than reading does. */
  isReading?: true
  /** Sends the organization as `organization_id` too. */
  ofOrganization?: true
  /** The field of the answer whose address is opened, as of a download. */
  follows?: string
  /** The kind of record that the answer is, whose page is opened then. */
  opens?: keyof Texts['resources']
  /** Fields of the answer that are shown once, such as a secret. */
  shows?: readonly FieldName[]
}

export type Paper = {
  name: keyof Texts['actions']
  operation: FileOperation
  isOffered?: (record: Item) => boolean
  parameters?: Item
  /** Also offered for several records of a list at once. */
  isBulk?: true
}

/** The records of one place: of an organization, or across all of them. */
export type Records = {
  list: AnyOperation
  get?: AnyOperation
  creates?: Action
  /** Parameters of the path of all of them, and of their acts. */
  at?: (organization: number) => Item
}

/** Of `isOne` one value is chosen, of the others several. */
export type Filter = { field: FieldName; values: readonly string[]; isOne?: true }

export type Link = {
  name: keyof Texts['actions']
  to: (record: Item) => string
  permission?: string
  /** Which the person must be able to change. */
  scope?: string
  isOffered?: (record: Item) => boolean
  isMain?: true
}

export type PlaceName = 'organization' | 'all' | 'me'

/** What is known of a kind of records before it is loaded. */
export type Kind = {
  name: keyof Texts['resources']
  group: keyof Texts['groups']
  /** The scope that shows it: of members, and of staff; `any` for every role of staff. */
  scope: string
  /** The scope that staff need, where it is another than that of members. */
  staffScope?: string
  /** Shown to owners of the organization alone. */
  isOwners?: true
  /** Where it has a list, and where its records have pages of their own. */
  places: Partial<Record<PlaceName, 'list' | 'page'>>
  /** What names a record in its address; its id by default. */
  keyOf?: (record: Item) => unknown
  /** The address that a row of its lists opens, where that is no record of the kind. */
  opens?: (record: Item) => string
  load: () => Promise<Declaration>
}

export type Resource = Kind & Declaration

export type Declaration = {
  organization?: Records
  /** For staff. A record that has an organization opens there. */
  all?: Records
  /** Of the person. */
  me?: Records
  titleOf: (record: Item, wording: Wording) => string
  /** The name of the parameter that names a record; `id` by default. */
  keyName?: string
  columns: readonly Column[]
  /** What staff are told with each record (`expand`), by comma. */
  expands?: string
  /** What may be done with a record in its list. */
  rowActions?: readonly Action[]
  /** What the record shows besides its columns. */
  details?: readonly Column[]
  /** The record's moments as a picture; null where it has none to show. */
  timeBar?: (record: Item) => TimeBar | null
  /** Whether a record is still being made: it is asked for again until it is not. */
  isRunning?: (record: Item) => boolean
  statuses?: readonly (keyof Texts['statuses'])[]
  filters?: readonly Filter[]
  /** The screen that makes one, where a form is not enough. */
  makes?: { name: keyof Texts['actions']; screen: string; isOffered: (person: Viewer) => boolean }
  /** The address of a record's file, where it has one. */
  downloads?: (record: Item) => string
  /** Filters by what is typed. */
  typed?: readonly { field: FieldName; as?: 'date' | 'number' }[]
  searches?: true
  sorts?: readonly FieldName[]
  /** Of an invoice, whether it can be paid: the ways to do so stand on it. */
  isPayable?: (record: Item) => boolean
  /** The field with its lines of what is sold. */
  lines?: 'line_items'
  papers?: readonly Paper[]
  actions?: readonly Action[]
  sections?: readonly Section[]
  /** The field with the id of who made it, so that the list can be of one's own. */
  author?: 'created_by'
  /** Screens about the record, below the place. */
  links?: readonly Link[]
  /** Of a record with a conversation. */
  conversation?: {
    list: AnyOperation
    add: AnyOperation
    /** Gives `canned_replies` of the record to staff, who may also add what the customer does not see. */
    canned?: AnyOperation
  }
  /** Lists under a name, by what their addresses say. */
  views?: readonly {
    name: keyof Texts['views']
    search: (userId: number) => Readonly<Record<string, string | number>>
  }[]
}

export const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null

/** What an operation gives that is known by its name alone. */
export const itemsOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? value.filter(isItem) : [])

/** The name of what came with the record; its id where it did not. */
export function nameIn(record: Item, name: string, id: string): string {
  const { expanded } = record
  const related = isItem(expanded) ? expanded[name] : null
  const number = textOf(record[id])
  return isItem(related) ? textOf(related['name']) : number && `#${number}`
}

export const isOneOf = (...statuses: string[]) => {
  const wanted = new Set(statuses)
  return ({ status }: Item): boolean => typeof status === 'string' && wanted.has(status)
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const keyOf = ({ keyOf: own }: Kind, record: Item): string => textOf(own ? own(record) : record['id'])
