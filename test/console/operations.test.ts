// Every operation of the document is used by a screen, by a recipe, by the client itself or by a page of the service; what is
// not, is listed here with the reason.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import document from '../../openapi.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')

const textsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))

/** By who uses them, and why no screen does. */
const NOT_ON_A_SCREEN: Readonly<Record<string, readonly string[]>> = {
  'the pages behind mailed links': [
    'verifyAccount',
    'undoEmailChange',
    'endAllSessions',
    'validateResetToken',
    'resetPassword',
    'rejectInvite',
    'createSessionWithSignOn',
    'getPublicContact',
    'confirmPublicContact',
    'getPublicQuote',
    'downloadPublicQuote',
    'previewPublicQuote',
    'acceptPublicQuote',
    'rejectPublicQuote',
    'getPublicInvoice',
    'downloadPublicInvoice',
    'getPublicNotice',
    'updatePublicNotice',
    'downloadFile',
    'getLogo',
  ],
  'other systems, which sign what they send': [
    'receivePaymentWebhook',
    'receiveCommerceWebhook',
    'receiveCrmWebhook',
    'receiveProvisioningWebhook',
    'receiveIssueTrackerWebhook',
    'receiveMailWebhook',
    'reportSite',
    'checkForUpdate',
  ],
  'programs, not people': [
    'loginWithPasskey',
    'beginDeviceSignIn',
    'loginWithDevice',
    'beginProgramSignOn',
    'loginWithSignOn',
    'bulk',
    'getEntitlementByCode',
    'getEntitlementLineageByCode',
    'listEventTypes',
    'getAccess',
  ],
  'a portal where people register themselves': [
    'registerEmail',
    'resendVerification',
    'checkUser',
    'checkCnpj',
    'getSignOnOffer',
  ],
  'its list shows the same': ['getAffiliatePayout', 'getPersonExport', 'getOrganizationExport', 'listLineage'],
  'ids and metadata of an integration': [
    'updatePayment',
    'updateOrder',
    'updateRefund',
    'updateCreditNote',
    'updateTaxInvoice',
  ],
}

const operations = Object.values(document.paths).flatMap((item) =>
  Object.values<{ operationId: string }>(item).map(({ operationId }) => operationId),
)

function usedIn(texts: readonly string[]): Set<string> {
  const used = new Set<string>()
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/\bapi\.(\w+)/g)) used.add(name)
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@titular\/sdk'/g))
      for (const name of names.split(',')) used.add(name.trim().replace(/ as \w+$/, ''))
  }
  return used
}

it('every operation is on a screen, in a recipe, in the client, or listed with the reason', () => {
  const screens = usedIn(textsOf('apps/console/src/**/*.{ts,tsx}'))
  const recipes = textsOf('docs/recipes/*.md').join('\n')
  const client = textsOf('packages/sdk/src/*.ts').join('\n')
  const listed = Object.values(NOT_ON_A_SCREEN).flat()
  const paths = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values<{ operationId: string }>(item).map(({ operationId }) => [operationId, path] as const),
    ),
  )
  const isElsewhere = (id: string): boolean =>
    new RegExp(`\\b${id}\\b`).test(recipes) ||
    recipes.includes(`/api/v1${paths.get(id)}`) ||
    client.includes(`'${paths.get(id)}'`)
  const nowhere = operations.filter((id) => !screens.has(id) && !isElsewhere(id))
  expect(nowhere.toSorted()).toEqual(listed.toSorted())
})
