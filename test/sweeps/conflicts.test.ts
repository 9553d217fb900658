// Each 409 is declared: the reasons that the code of an operation can reach, read from its syntax, are those of its
// `fails`. Tests cannot provoke all of them; each must stand in the document all the same.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { reasons, routes } from '../../src/modules.ts'
import { ROOT } from '#test/harness/golden.ts'

const BY_STATE = 'moves by the state that it has read'
const SAYS_SO = 'its answer has the refusal'

/** What functions and operations cannot answer although they call what can, `*` for all of it, and why. */
const NEVER: readonly [of: string, reasons: string, why: string][] = [
  ['acceptProposal', 'second_factor_not_tried', 'a proposal is about names, numbers and addresses'],
  ['addPrice, changePrice', 'sku_taken', 'prices have no SKU'],
  [
    'addReleaseFile, receiveReleaseFile',
    'limit_reached storage_quota_exceeded',
    'what the vendor uploads has no quota',
  ],
  ['applyCreditBalance, refundCreditBalance', 'balance_too_low balance_too_high', 'takes at most what there is'],
  ['billLateCharges', 'number_taken', 'gives no number'],
  ['billLateCharges, draftInvoice', 'status_not_allowed', 'finalizes its own draft'],
  ['createEndpoint, deleteEndpoint, rotateSecret', 'status_not_allowed', 'keeps the status'],
  ['createEnvironment', 'environment_paired', 'nothing is paired with a new one'],
  ['createOrganizationForOwner', 'already_invited already_member', 'nobody is in a new one'],
  ['payByHand, payInAdvance, releaseReserved, returnToBalance', 'balance_too_low', 'only adds'],
  ['reserveAgain', 'balance_too_low', 'what is not there any more is refunded_otherwise, or a dead letter'],
  ['previewOf, viewOf', 'organization_unverified quote_expired quote_superseded status_not_allowed', SAYS_SO],
  ['POST /privacy/erasure, POST /privacy/exports', 'status_not_allowed', 'who was erased cannot sign in'],
  ['publishRelease, restoreRelease, yankRelease', 'version_taken', 'the version stays'],
  ['receiveImport', 'limit_reached storage_quota_exceeded', 'what the vendor uploads has no quota'],
  ['IMPORT_KINDS', '*', 'each row of the file has an outcome of its own'],
  ['refundOrder', 'nothing_to_refund', 'begins with a part that is left'],
  [
    'applyProofResult, changePlanOf, endLicensesOf, endSubscription, expireEntitlement, resendInvite, viewQuote',
    'status_not_allowed',
    BY_STATE,
  ],
  ['changeOrganization', 'status_not_allowed', 'reopens only what was decided'],
  ['withdrawInvoice', 'payment_disputed status_not_allowed', 'leaves what is disputed, and what is not open'],
]
const never = new Map<string, string[]>()
for (const [names, words] of NEVER)
  for (const one of names.split(', ')) never.set(one, [...(never.get(one) ?? []), ...words.split(' ')])

type Declaration = { own: Set<string>; uses: Set<string>; can: Set<string> }
type Source = { path: string; declared: Map<string, ts.Node>; imported: Map<string, string> }

/** Words by which a declaration is known: `path#name`, or `path#name.property` of an object. */
const declarations = new Map<string, Declaration>()
const sources = new Map<string, Source>()

const pathOf = (from: string, specifier: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}` : normalize(join(dirname(from), specifier))

function readSource(path: string): void {
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const source: Source = { path, declared: new Map(), imported: new Map() }
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) source.declared.set(statement.name.text, statement)
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer && ts.isIdentifier(name)) declareValue(source, name.text, initializer)
    if (ts.isImportDeclaration(statement)) addImports(source, statement)
  }
  sources.set(path, source)
}

function declareValue({ declared }: Source, name: string, value: ts.Expression): void {
  declared.set(name, value)
  if (!ts.isObjectLiteralExpression(value)) return
  for (const one of value.properties)
    if (one.name && !ts.isShorthandPropertyAssignment(one)) declared.set(`${name}.${one.name.getText()}`, one)
}

function addImports({ path, imported }: Source, { importClause, moduleSpecifier }: ts.ImportDeclaration): void {
  const names = importClause?.namedBindings
  if (!names || !ts.isNamedImports(names) || !ts.isStringLiteral(moduleSpecifier)) return
  for (const { name, propertyName } of names.elements)
    imported.set(name.text, `${pathOf(path, moduleSpecifier.text)}#${(propertyName ?? name).text}`)
}

/** What a 409 of any operation can be; the refusals of external ids are those of all bodies that give one. */
const isLeft = (path: string): boolean => /^src\/http\/(?!integration-route|organization-body)|external-ids/.test(path)

function use({ path, declared, imported }: Source, node: ts.Identifier): string[] {
  const there = imported.get(node.text) ?? (declared.has(node.text) ? `${path}#${node.text}` : null)
  if (there === null || isLeft(there)) return []
  const { parent } = node
  const property = ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : null
  const [file = '', name = ''] = there.split('#')
  return sources.get(file)?.declared.has(`${name}.${property}`) ? [`${there}.${property}`] : [there]
}

/** The words in the first argument, or all of its type where it is chosen elsewhere. */
function reasonsIn(call: ts.CallExpression): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && node.text in reasons) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  if (call.arguments[0]) visit(call.arguments[0])
  return found
}

function look(source: Source, top: ts.Node): Declaration {
  const [own, uses] = [new Set<string>(), new Set<string>()]
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isCallExpression(node) && node.expression.getText() === 'conflict')
      for (const one of reasonsIn(node)) own.add(one)
    const isName =
      (ts.isPropertyAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent)) && node.parent.name === node
    if (ts.isIdentifier(node) && !isName) for (const one of use(source, node)) uses.add(one)
    ts.forEachChild(node, visit)
  }
  visit(top)
  return { own, uses, can: own }
}

/** Of all that it can answer, what those that it calls can, until nothing is added any more. */
function spread(): void {
  for (let grew = true; grew;) {
    grew = false
    for (const [word, { uses, can }] of declarations) {
      const cannot = never.get(word.slice(word.indexOf('#') + 1)) ?? []
      const before = can.size
      for (const used of uses)
        for (const reason of declarations.get(used)?.can ?? [])
          if (!cannot.includes(reason) && !cannot.includes('*')) can.add(reason)
      grew ||= can.size > before
    }
  }
}

const OPERATION = /^(?:run|read|make|before|features|rules)$/

/** By method and path, the reasons of the operations whose path stands in the code. */
function operationsIn(source: Source, top: ts.Node): [string, Set<string>][] {
  const found: [string, Set<string>][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const of = new Map(node.properties.map((one) => [one.name?.getText(), one]))
      const word = (name: string) => {
        const one = of.get(name)
        return one && ts.isPropertyAssignment(one) && ts.isStringLiteralLike(one.initializer)
          ? one.initializer.text
          : null
      }
      const [method, path] = [word('method'), word('path')]
      if (method !== null && path !== null) {
        const parts = [...of].flatMap(([name, one]) => (OPERATION.test(name ?? '') ? [look(source, one)] : []))
        const can = parts.flatMap(({ own, uses }) => [
          ...own,
          ...[...uses].flatMap((one) => [...(declarations.get(one)?.can ?? [])]),
        ])
        if (parts.length > 0) found.push([`${method} ${path}`, new Set(can)])
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(top)
  return found
}

for (const path of globSync('src/{kernel,http,ports,modules}/**/*.ts', { cwd: ROOT }))
  if (!/\.(?:test|contract)\.ts$/.test(path)) readSource(path)
for (const source of sources.values())
  for (const [name, node] of source.declared) declarations.set(`${source.path}#${name}`, look(source, node))
spread()
/** Lists name operations as well. */
const operations = new Map<string, Set<string>>()
for (const source of sources.values())
  for (const node of source.declared.values())
    for (const [name, can] of operationsIn(source, node))
      operations.set(name, new Set([...(operations.get(name) ?? []), ...can]))

describe('the conflicts of each operation', () => {
  const checked = routes.flatMap((route) => {
    const can = operations.get(`${route.method} ${route.path}`)
    return can ? [{ name: `${route.method} ${route.path}`, can, fails: new Set<string>(route.fails) }] : []
  })

  it('are read of almost all', () => {
    expect(checked.length / routes.length).toBeGreaterThan(0.8)
    expect(checked.filter(({ can }) => can.size > 0).length).toBeGreaterThan(150)
  })

  it('are declared', () => {
    const lacking = checked.flatMap(({ name, can, fails }) =>
      [...can].filter((one) => !fails.has(one) && !never.get(name)?.includes(one)).map((one) => `${name}: ${one}`),
    )
    expect(lacking).toEqual([])
  })

  it('and those that are declared can be', () => {
    const idle = checked.flatMap(({ name, can, fails }) =>
      [...fails]
        .filter((one) => one in reasons && one !== 'external_id_taken' && !can.has(one))
        .map((one) => `${name}: ${one}`),
    )
    expect(idle).toEqual([])
  })

  it('have no exception that is none', () => {
    const functions = [...declarations.keys()].map((word) => word.slice(word.indexOf('#') + 1))
    const named = new Set([...functions, ...operations.keys()])
    expect([...never.keys()].filter((name) => !named.has(name))).toEqual([])
  })
})
