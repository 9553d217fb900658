// Writes values as XML in the order of a layout: no prefixes, no empty elements, no element that the layout does not
// list. Text is escaped as in canonical XML, so that the written bytes are the signed ones.
import type { Element } from './layouts.ts'

export type XmlValues = { readonly [name: string]: string | XmlValues | null | undefined }

export type XmlDocument = {
  root: string
  namespace: string
  version: string
  signed: Element
  id: string
  values: XmlValues
}

export function writeXml({ root, namespace, version, signed, id, values }: XmlDocument): string {
  const body = written(signed, values, ` Id="${id}"`)
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${namespace}" versao="${version}">${body}</${root}>`
}

function written(element: Element, value: XmlValues[string], attributes = ''): string {
  if (value === null || value === undefined || value === '') return ''
  const name = typeof element === 'string' ? element : element.name
  const inner = typeof element === 'string' ? text(name, value) : children(element, value)
  return inner === '' ? '' : `<${name}${attributes}>${inner}</${name}>`
}

function text(name: string, value: string | XmlValues): string {
  if (typeof value !== 'string') throw new Error(`The layout has no elements in ${name}`)
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')
}

function children(group: Exclude<Element, string>, value: string | XmlValues): string {
  if (typeof value === 'string') throw new Error(`The layout has no text in ${group.name}`)
  const names = group.children.map((child) => (typeof child === 'string' ? child : child.name))
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`The layout has no ${unknown} in ${group.name}`)
  return group.children.map((child) => written(child, value[typeof child === 'string' ? child : child.name])).join('')
}
