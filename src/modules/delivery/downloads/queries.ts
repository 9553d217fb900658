// All SQL of releases, their files, and how often these were downloaded.
import { clockOfOrganization } from '#kernel/access/access-check.ts'
import type { StoredFile } from '#modules/documents/files/file-answer.ts'
import type { ValidatedLicense } from '#modules/delivery/licenses/validate-license.ts'
import { page, type ReadPlan, row } from '#http/route.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'
import { covers, entitledReleases, granted } from './entitled-releases.ts'
import { MOST_COVERING, type Release, ReleaseFile, type ReleaseFilters } from './release.ts'

/** A release as it is stored. */
export type ReleaseRow = Pick<Release, 'id' | 'product_id' | 'version' | 'channel' | 'released_at'> & {
  status: string
  release_notes: string | null
  release_notes_pt_br: string | null
  yank_reason: string | null
}
export type NewReleaseRow = Omit<ReleaseRow, 'id' | 'status' | 'yank_reason'> & { version_key: string }
export type NewFileRow = Omit<ReleaseFile, 'id'> & { storage_key: string }

/** A file with what a link to it needs. */
export type LinkedFile = StoredFile & Pick<ReleaseFile, 'id' | 'file_name'>

const FILE_FIELDS = Object.keys(ReleaseFile.properties)
const fileJson = raw(`jsonb_build_object(${FILE_FIELDS.map((name) => `'${name}', f.${name}`).join(', ')})`)
const files = sql`(select jsonb_agg(${fileJson} order by f.id) from release_files f where f.release_id = r.id)`
const firstFile = (column: string) =>
  raw(`(select f.${column} from release_files f where f.release_id = r.id order by f.id limit 1) as ${column}`)

const notesColumns = raw(`coalesce(r.release_notes, r.release_notes_pt_br) as release_notes,
  jsonb_build_object('en', r.release_notes, 'pt-BR', r.release_notes_pt_br) as release_notes_by_language`)

const columns = sql`
  r.id, r.product_id, p.name as product_name, r.version, r.channel, r.status, r.released_at, ${notesColumns},
    r.yank_reason,
  ${firstFile('file_name')}, ${firstFile('size')}, ${firstFile('sha256')}, coalesce(${files}, '[]') as files,
  array(select g.entitlement_id from granted g where ${covers} order by 1 limit ${MOST_COVERING}) as entitlement_ids,
  r.created_at, r.updated_at`

const OF_PRODUCT = sql`from releases r join products p on p.id = r.product_id`

/** Staff see all of the vendor's releases, in each organization. */
const isStaff = sql`current_setting('app.staff', true) = 'on'`
const isEntitled = sql`exists (select 1 from granted g where ${covers})`

const rowColumns = raw(
  `id, product_id, version, channel, status, released_at, release_notes, release_notes_pt_br, yank_reason`,
)
const fileColumns = raw(FILE_FIELDS.join(', '))

export const releases = {
  /** Files and entitlements are looked up for the rows of the page only, not for all before it. */
  page(org: number, query: ReleaseFilters, now: Date): ReadPlan<never> {
    const keys = page(query, {
      columns: sql`r.id, r.position`,
      id: 'r.position',
      from: sql`from releases r where (${isStaff} or r.id in (${entitledReleases}))
        ${when(query.product_id, (id) => sql`and r.product_id = ${id}`)}
        ${when(query.channel, (channel) => sql`and r.channel = ${channel}`)}
        ${isOneOf('r.status', query.status)}
        ${when(
          query.platform,
          (platform) => sql`and exists (select 1 from release_files f where f.release_id = r.id
          and f.platform in (${platform}, 'any'))`,
        )}`,
    })
    const grants = granted(sql`${org}`, now)
    return {
      ...keys,
      rows: sql`with ${grants} select ${columns} ${OF_PRODUCT} join (${keys.rows}) k on k.id = r.id
        order by r.position desc`,
      total: sql`with ${grants} ${keys.total}`,
    }
  },
  one: (org: number, id: number, now: Date) => sql<Release>`
    with ${granted(sql`${org}`, now)}
    select ${columns} ${OF_PRODUCT} where r.id = ${id} and (${isStaff} or ${isEntitled})`,
  byId: (org: number, id: number, now: Date) => row<Release>(releases.one(org, id, now)),

  forChange: (id: number) => sql<ReleaseRow>`select ${rowColumns} from releases where id = ${id} for update`,
  statusOf: (id: number) => sql<Pick<ReleaseRow, 'status'>>`select status from releases where id = ${id}`,
  add: (release: NewReleaseRow, now: Date) => sql<{ id: number }>`
    insert into releases (product_id, version, version_key, channel, released_at, release_notes, release_notes_pt_br,
      created_at, updated_at)
    values (${release.product_id}, ${release.version}, ${release.version_key}, ${release.channel},
      ${release.released_at},
            ${release.release_notes}, ${release.release_notes_pt_br}, ${now}, ${now}) returning id`,
  change: (release: ReleaseRow & { version_key: string }, now: Date) => sql`
    update releases set version = ${release.version}, version_key = ${release.version_key},
      channel = ${release.channel},
           status = ${release.status}, released_at = ${release.released_at}, release_notes = ${release.release_notes},
           release_notes_pt_br = ${release.release_notes_pt_br}, yank_reason = ${release.yank_reason},
             updated_at = ${now}
     where id = ${release.id} returning id`,
  remove: (id: number) => sql`delete from releases where id = ${id} returning id`,

  addFile: (releaseId: number, file: NewFileRow, now: Date) => sql<ReleaseFile>`
    insert into release_files (release_id, platform, architecture, file_name, content_type, size, sha256, signature,
      storage_key, created_at)
    values (${releaseId}, ${file.platform}, ${file.architecture}, ${file.file_name}, ${file.content_type}, ${file.size},
            ${file.sha256}, ${file.signature}, ${file.storage_key}, ${now}) returning ${fileColumns}`,
  filesOf: (releaseId: number) =>
    sql<ReleaseFile>`select ${fileColumns} from release_files where release_id = ${releaseId} order by id`,
  removeFile: (releaseId: number, id: number) => sql<ReleaseFile & { storage_key: string }>`
    delete from release_files where release_id = ${releaseId} and id = ${id} returning ${fileColumns}, storage_key`,

  /** The file of a link, if the organization may still have it. */
  linkedFile: (org: number, id: number, now: Date) => sql<LinkedFile>`
    with existing as materialized (
      select coalesce(${clockOfOrganization}, ${now}) as now
        from organizations o where o.organization_id = ${org} and o.id = ${org} and o.deleted_at is null
    ), ${granted(sql`${org}`, sql`(select x.now from existing x)`)}
    select f.id, f.file_name, f.content_type, f.size, f.sha256, f.storage_key
      from release_files f join releases r on r.id = f.release_id and r.status = 'published' join existing on true
     where f.id = ${id} and ${isEntitled}`,
  count: (org: number, fileId: number, now: Date) => sql`
    insert into download_counts as c (organization_id, file_id, downloads, last_downloaded_at)
    values (${org}, ${fileId}, 1, ${now}) on conflict (organization_id, file_id)
    do update set downloads = c.downloads + 1, last_downloaded_at = excluded.last_downloaded_at returning id`,
  counts: (id: number, query: Page) =>
    page(query, {
      columns: sql`c.id, c.organization_id, o.name as organization_name, c.file_id, f.file_name, c.downloads,
        c.last_downloaded_at`,
      id: 'c.id',
      from: sql`from (${countsOf(id)}) c join release_files f on f.id = c.file_id join organizations o
        on o.id = c.organization_id`,
      parent: sql`select id from releases where id = ${id}`,
    }),
}

/** Read before they are joined with what a cluster has on its coordinator. */
const countsOf = (releaseId: number) => sql`
  with counted as materialized (
    select id, organization_id, file_id, downloads, last_downloaded_at from download_counts
     where file_id = any(array(select id from release_files where release_id = ${releaseId}))
  ) select * from counted`

/** A license with the newest release for it, whose columns are null when there is none. */
export type Candidate = ValidatedLicense & { updates_until: string | null; file: ReleaseFile | null } & {
  [Column in 'version' | 'channel' | 'released_at' | 'release_notes']: Release[Column] | null
} & { release_notes_by_language: Release['release_notes_by_language'] | null }

type PlatformQuery = { platform: string; architecture: string; channel?: string }

/** Of several files that fit, the one that is made for the platform, then for the architecture, then the first. */
export const newestFor = (license: Statement<ValidatedLicense>, wanted: PlatformQuery, now: Date) => sql<Candidate>`
  with license as materialized (${license}), entitled as materialized (
    select e.updates_until from license l
      join entitlements e on e.organization_id = l.organization_id and e.id = l.entitlement_id
  ), ${granted(
    sql`(select l.organization_id from license l)`,
    sql`(select coalesce(l.test_clock, ${now}) from license l)`,
    sql`and e.id = (select l.entitlement_id from license l)`,
  )}
  select l.*, e.updates_until, n.version, n.channel, n.released_at, n.release_notes, n.release_notes_by_language, n.file
    from license l cross join entitled e
    left join lateral (
      select o.* from granted g
       cross join lateral (
         select r.version, r.version_key, r.channel, r.released_at, ${notesColumns}, ${fileJson} as file
           from releases r join release_files f on f.release_id = r.id
          where ${covers} and r.status = 'published'
            and f.platform in (${wanted.platform}, 'any') and f.architecture in (${wanted.architecture}, 'any')
          order by r.version_key desc, f.platform = 'any', f.architecture = 'any', f.id limit 1) o
       where (g.channel = 'stable' or ${wanted.channel === 'beta'})
       order by o.version_key desc limit 1) n on true`
