// The demo's releases: two of the product whose licenses it sells, and one that is tried out.
import { Readable } from 'node:stream'
import { addReleaseFile, receiveReleaseFile } from '#modules/delivery/downloads/add-file.ts'
import { createRelease, publishRelease } from '#modules/delivery/downloads/change-release.ts'
import type { NewRelease } from '#modules/delivery/downloads/release.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { demoIo, type DemoService } from './demo-service.ts'

const DAY_MS = 86_400_000

type DemoRelease = Pick<NewRelease, 'version' | 'channel' | 'release_notes_by_language'> & { daysAgo: number }

const RELEASES: readonly DemoRelease[] = [
  {
    version: '2.1.0',
    daysAgo: 20,
    release_notes_by_language: { en: 'Restores single files.', 'pt-BR': 'Restaura arquivos avulsos.' },
  },
  {
    version: '2.0.1',
    daysAgo: 90,
    release_notes_by_language: { en: 'Fixes the nightly run.', 'pt-BR': 'Corrige a execução noturna.' },
  },
  {
    version: '2.2.0-rc.1',
    channel: 'beta',
    daysAgo: 2,
    release_notes_by_language: { en: 'Encrypts backups.', 'pt-BR': 'Cifra as cópias.' },
  },
]

/** The vendor's, made inside an organization as staff do. */
export async function createReleases(
  service: DemoService,
  organizationId: number,
  [product_id = 0]: readonly number[],
): Promise<void> {
  const origin = service.origin()
  const inOrganization = <Result>(run: (ctx: OrganizationContext) => Promise<Result>) =>
    service.transactions.inOrganization(organizationId, origin, run)
  const io = demoIo(service, organizationId)
  for (const { daysAgo, ...release } of RELEASES) {
    const released_at = new Date(origin.now.getTime() - daysAgo * DAY_MS).toISOString()
    const body = { ...release, product_id, released_at }
    const { id } = await inOrganization((ctx) => createRelease(ctx, body))
    const script = `#!/bin/sh\necho 'Backup Pro ${release.version}'\n`
    const file = { fileName: `backup-pro-${release.version}.sh`, stream: Readable.from([Buffer.from(script)]) }
    const received = await receiveReleaseFile(io, id, file)
    await inOrganization(async (ctx) => {
      await addReleaseFile(ctx, id, { body: { platform: 'linux', architecture: 'any' }, received })
      await publishRelease(ctx, id)
    })
  }
}
