// The companies and deals of the sandbox's CRM, with the rules of HubSpot's API of objects: unknown properties and a
// value of a unique property that another object has are refused, archived objects are not there, and the id of a
// merged one leads to what it became a part of.
import { Type, type Static } from 'typebox'

export type ObjectType = 'companies' | 'deals'

export const PortalObject = Type.Object({
  id: Type.String({ pattern: '^\\d{1,20}$' }),
  type: Type.Enum(['companies', 'deals']),
  properties: Type.Record(Type.String(), Type.String()),
  /** Of a deal. */
  companies: Type.Array(Type.String()),
  isArchived: Type.Boolean(),
  mergedInto: Type.Union([Type.String(), Type.Null()]),
})
export type PortalObject = Static<typeof PortalObject>

/** The names of the properties with unique values, which somebody has made. */
export const UniqueProperties = Type.Object({ companies: Type.Array(Type.String()), deals: Type.Array(Type.String()) })

/** Something that happened, as HubSpot's webhooks name it. */
export type Change = {
  object: PortalObject
  kind: 'creation' | 'propertyChange' | 'deletion' | 'merge' | 'restore' | 'associationChange'
  more?: Record<string, unknown>
}

type Values = Readonly<Record<string, string>>

export type Portal = {
  companies: Map<string, PortalObject>
  deals: Map<string, PortalObject>
  /** Type → the properties with unique values, which somebody has made. */
  unique: Record<ObjectType, Set<string>>
  isProperty(type: ObjectType, name: string): boolean
  /** The object, or the one that it became a part of; undefined when it is archived. */
  living(type: ObjectType, id: string): PortalObject | undefined
  withValue(type: ObjectType, property: string, value: string): PortalObject | undefined
  /** What is wrong with the values of an object; null for a new one. */
  problemIn(type: ObjectType, id: string | null, values: Values): string | null
  add(type: ObjectType, values: Values): PortalObject
  edit(type: ObjectType, id: string, values: Values): Change[]
  archive(type: ObjectType, id: string, isArchived?: boolean): Change[]
  /** The second becomes a part of the first, which keeps its values and gets what it lacks. */
  merge(primary: string, secondary: string): Change[]
}

const NATIVE: Record<ObjectType, readonly string[]> = {
  companies: ['name', 'phone', 'website', 'city', 'state', 'country'],
  deals: ['dealname', 'amount', 'deal_currency_code', 'closedate', 'pipeline', 'dealstage'],
}

const FIRST_ID = 9_000_000_001

export function createPortal(known: readonly PortalObject[], unique: Portal['unique']): Portal {
  const objects = { companies: new Map<string, PortalObject>(), deals: new Map<string, PortalObject>() }
  for (const one of known) objects[one.type].set(one.id, one)
  let next = Math.max(FIRST_ID - 1, ...known.map(({ id }) => Number(id))) + 1
  const living: Portal['living'] = (type, id) => {
    const one = objects[type].get(id)
    if (one && one.mergedInto !== null) return living(type, one.mergedInto)
    return one && !one.isArchived ? one : undefined
  }
  const withValue: Portal['withValue'] = (type, property, value) =>
    [...objects[type].values()].find(
      (one) => !one.isArchived && one.mergedInto === null && one.properties[property] === value,
    )
  const isProperty: Portal['isProperty'] = (type, name) => NATIVE[type].includes(name) || unique[type].has(name)
  return {
    ...objects,
    unique,
    isProperty,
    living,
    withValue,
    problemIn(type, id, values) {
      for (const [name, value] of Object.entries(values)) {
        if (!isProperty(type, name)) return `Property "${name}" does not exist`
        const holder = unique[type].has(name) && value !== '' ? withValue(type, name, value) : undefined
        if (holder && holder.id !== id) return `${name}: ${value} is already used by ${holder.id}`
      }
      return null
    },
    add(type, values) {
      const id = String(next++)
      const made = { id, type, properties: { ...values }, companies: [], isArchived: false, mergedInto: null }
      objects[type].set(id, made)
      return made
    },
    edit(type, id, values) {
      const object = living(type, id)
      return object ? changed(object, values) : []
    },
    archive(type, id, isArchived = true) {
      const object = objects[type].get(id)
      if (!object || object.isArchived === isArchived) return []
      object.isArchived = isArchived
      return [{ object, kind: isArchived ? 'deletion' : 'restore' }]
    },
    merge(primary, secondary) {
      const [object, gone] = [living('companies', primary), living('companies', secondary)]
      if (!object || !gone || object === gone) return []
      gone.mergedInto = object.id
      for (const [name, value] of Object.entries(gone.properties)) object.properties[name] ||= value
      const more = { primaryObjectId: Number(object.id), mergedObjectIds: [Number(gone.id)] }
      return [
        { object, kind: 'merge', more },
        { object: gone, kind: 'merge', more },
      ]
    },
  }
}

/** Sets the values; those that the object has already are no changes. */
function changed(object: PortalObject, values: Values): Change[] {
  return Object.entries(values).flatMap(([propertyName, propertyValue]): Change[] => {
    if ((object.properties[propertyName] ?? '') === propertyValue) return []
    object.properties[propertyName] = propertyValue
    return [{ object, kind: 'propertyChange', more: { propertyName, propertyValue } }]
  })
}
