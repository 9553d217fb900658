// A migrated PostgreSQL with a streaming replica, made by copying its files while it is stopped.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded, THROWAWAY } from '../../src/postgres/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { databaseAt } from './database.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** A commit is answered when it is written, since only what is written reaches the replica. */
const SETTINGS = { ...THROWAWAY, synchronous_commit: 'on' }

export async function replicatedDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'titular-replica-'))
  const [ofPrimary, ofReplica] = [join(folder, 'primary'), join(folder, 'replica')]
  const first = await startEmbedded({ dataDir: ofPrimary, log: quiet, settings: SETTINGS })
  await migrate({ ownerUrl: first.url, directory: MIGRATIONS, log: quiet })
  await first.stop()
  // With the owners of the files, which PostgreSQL checks.
  await promisify(execFile)('cp', ['-a', ofPrimary, ofReplica])
  await rm(join(ofReplica, 'postgres/port'))
  await writeFile(join(ofReplica, 'postgres/data/standby.signal'), '')
  const primary = await startEmbedded({ dataDir: ofPrimary, log: quiet, settings: SETTINGS })
  const { port, username, password } = new URL(primary.url)
  const primary_conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`
  const startReplica = () =>
    startEmbedded({ dataDir: ofReplica, log: quiet, settings: { ...SETTINGS, primary_conninfo } })
  let replica = await startReplica()
  const database = databaseAt(primary.url)
  const onReplica = async (text: string) => {
    const { query, drop } = databaseAt(replica.url)
    try {
      await query(text)
    } finally {
      await drop()
    }
  }
  return {
    database,
    replicaUrl: replica.url,
    /** From now on the replica stays as it is. */
    pause: () => onReplica('select pg_wal_replay_pause()'),
    resume: () => onReplica('select pg_wal_replay_resume()'),
    stopReplica: () => replica.stop(),
    startReplica: async () => void (replica = await startReplica()),
    async close() {
      await database.drop()
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type ReplicatedDatabase = Awaited<ReturnType<typeof replicatedDatabase>>
