// Imports of what an organization has: entitlements, licenses with their keys, open invoices.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csv, imported, type ImportScene, importScene, outcomes } from '#test/scenes/imports.ts'

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

describe('entitlements and licenses', () => {
  const LONG = 'abcde-12345-fghij-67890-klmno'
  it('keep what was bought, and the keys that installations use', async () => {
    const sold = csv(
      [
        'external_id',
        'organization_external_id',
        'class',
        'product_name',
        'company',
        'quantity',
        'expires_at',
        'features',
        'release_channels',
      ],
      [
        'e1',
        '1',
        'PLG',
        'Backup Pro',
        'entity_br',
        '5',
        '2999-01-31T03:00:00.000Z',
        '"[{""key"":""max_users"",""type"":""number"",""value"":50}]"',
        'stable|beta',
      ],
      ['e2', '2', 'ENV', 'Hosting', 'entity_global', '', '', '', ''],
      ['e3', '1', 'PLG', 'Backup', 'entity_mars', '', '31/01/2027', '{', ''],
    )
    const done = await imported(at.app, at.staff, { kind: 'entitlements' }, sold)
    expect(outcomes(done)).toEqual(['created', 'created', 'refused'])
    expect(Object.keys(done.lines[2].errors).toSorted()).toEqual(['company', 'expires_at', 'features'])
    expect((await at.inside.get(`/entitlements/${done.lines[0].resource_id}`)).data).toMatchObject({
      code: expect.stringMatching(/^PLG-\d{10,}$/),
      quantity: 5,
      status: 'active',
      release_channels: ['stable', 'beta'],
      features: [{ key: 'max_users', type: 'number', value: 50 }],
      expires_at: '2999-01-31T03:00:00.000Z',
    })

    const license = { organization_external_id: '1', entitlement_external_id: 'e1' }
    const keys = [
      {
        ...license,
        external_id: 'l1',
        license_key: 'WC-19af-77c0-22de',
        activations_limit: 2,
        activated_domains: ['loja.norte.example'],
      },
      { ...license, external_id: 'l2', license_key: LONG },
      { ...license, external_id: 'l3', license_key: LONG.toUpperCase().replaceAll('-', '') },
      { ...license, external_id: 'l4', license_key: 'other-customers-key', organization_external_id: '2' },
      {
        ...license,
        external_id: 'l5',
        license_key: 'of-no-software',
        organization_external_id: '2',
        entitlement_external_id: 'e2',
      },
      { ...license, external_id: 'l6', license_key: 'too-many-domains', activated_domains: ['a.example', 'b.example'] },
      { ...license, external_id: 'l7', license_key: 'short' },
    ]
    const licenses = await imported(at.app, at.staff, { kind: 'licenses' }, keys)
    expect(licenses.lines.map(({ errors }: { errors: object }) => Object.keys(errors ?? {}))).toEqual([
      [],
      [],
      ['license_key'],
      ['entitlement_external_id'],
      ['entitlement_id'],
      ['row'],
      ['license_key'],
    ])
    const validity = async (license_key: string, domain: string) =>
      (await at.app.world.anonymous.post('/licenses/validate', { license_key, domain })).data
    expect(await validity(' WC-19af-77c0-22de ', 'https://loja.norte.example')).toMatchObject({ valid: true })
    expect(await validity('wc-19af-77c0-22de', 'loja.norte.example')).toMatchObject({ reason: 'unknown_key' })
    for (const typed of [LONG, LONG.toUpperCase(), LONG.replaceAll('-', ' ')])
      expect(await validity(typed, 'a.example')).toMatchObject({ reason: 'not_activated', product_name: 'Backup Pro' })
    expect((await at.inside.get(`/licenses/${licenses.lines[0].resource_id}`)).data).toMatchObject({
      license_key: 'WC-19af-77c0-22de',
      entitlement_code: expect.stringMatching(/^PLG-/),
      activations_limit: 2,
      activations_count: 1,
    })
  })
  it('do not take a key that any organization has, also of two imports at once', async () => {
    const { data: entitlement } = await at.acme.staff.post('/entitlements', {
      class: 'PLG',
      product_name: 'Backup',
      organization_id: at.acme.id,
      company: 'entity_br',
    })
    const { data: own } = await at.acme.staff.post('/licenses', { entitlement_id: entitlement.id })
    const of = { organization_id: at.acme.id, entitlement_id: entitlement.id }
    const taken = await imported(at.app, at.staff, { kind: 'licenses' }, [
      {
        external_id: 'k1',
        organization_external_id: '1',
        entitlement_external_id: 'e1',
        license_key: own.license_key.toLowerCase(),
      },
      { ...of, external_id: 'k2', license_key: 'acme-key-1' },
      { external_id: 'k3', organization_external_id: '1', entitlement_external_id: 'e1', license_key: 'acme-key-1' },
      { ...of, external_id: 'k4', license_key: 'acme-key-2', organization_external_id: '1' },
      { ...of, external_id: 'k5', license_key: 'acme-key-3', organization_id: 999_999 },
      { external_id: 'k6', license_key: 'acme-key-4' },
    ])
    expect(taken.lines.map(({ errors }: { errors: object }) => errors)).toEqual([
      { license_key: 'is that of another license' },
      null,
      { license_key: 'is that of line 2' },
      { organization_id: 'must not stand beside organization_external_id' },
      { organization_id: 'names no organization' },
      {
        organization_external_id: 'is required, or organization_id',
        entitlement_external_id: 'is required, or entitlement_id',
      },
    ])
  })
})

describe('invoices', () => {
  it('are open under their numbers, in the forms that were declared', async () => {
    const file = Buffer.from(
      csv(
        ['external_id', 'organization_external_id', 'number', 'currency', 'total', 'issue_date', 'due_date', 'notes'],
        ['i1', '1', 'WHM-1', 'BRL', '1.234,50', '05/11/2026', '31/12/2026', 'Março'],
        ['i2', '1', 'WHM-2', 'BRL', '10.5', '2026-11-05', '31/12/2026', ''],
        ['i3', '1', 'BR-000001', 'BRL', '10,00', '05/11/2026', '01/11/2026', ''],
        ['i4', '1', 'WHM-1', 'BRL', '10,00', '05/11/2026', '31/12/2026', ''],
        ['i5', '1', '', 'BRL', '10,00', '', '', ''],
      ),
      'latin1',
    )
    const forms = { encoding: 'windows-1252', decimal_separator: ',', date_format: 'dd/mm/yyyy' }
    const dry = await imported(at.app, at.staff, { kind: 'invoices', dry_run: 'true', ...forms }, file)
    const done = await imported(at.app, at.staff, { kind: 'invoices', ...forms }, file)
    expect(outcomes(done)).toEqual(['created', 'refused', 'refused', 'refused', 'refused'])
    expect(dry.lines.map(({ errors }: { errors: object }) => errors)).toEqual(
      done.lines.map(({ errors }: { errors: object }) => errors),
    )
    expect(done.lines.map(({ errors }: { errors: object }) => Object.keys(errors ?? {}).toSorted())).toEqual([
      [],
      ['issue_date', 'total'],
      ['due_date', 'number'],
      ['number'],
      ['number'],
    ])
    expect((await at.inside.get(`/invoices/${done.lines[0].resource_id}`)).data).toMatchObject({
      number: 'WHM-1',
      status: 'open',
      origin: 'import',
      total: '1234.50',
      issue_date: '2026-11-05',
      due_date: '2026-12-31',
      notes: 'Março',
      billing: { name: 'Norte' },
    })
  })
})
