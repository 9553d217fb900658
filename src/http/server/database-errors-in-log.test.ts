// What PostgreSQL says of an error reaches no log and no record with the values that it repeats.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'

/** With quotation marks, since messages quote values with them. */
const PERSON = 'Ana "Nina" Souza, ana@souza.example'
const PARTS = ['Nina', 'souza']

const app = await appOfFile()

const FUNCTION = `create function planted() returns trigger language plpgsql as`
const TRIGGER = `create trigger planted before update on organizations for each row execute function planted()`

/** Faults that no code foresees: what they are, how they are planted and removed, and what the log says of them. */
const FAULTS: [what: string, planted: string, removed: string, logged: string[]][] = [
  [
    'a value that is not unique',
    'create unique index planted on organizations (neighborhood)',
    'drop index planted',
    ['23505', '"constraint":"planted"'],
  ],
  [
    'a check',
    `alter table organizations add constraint planted check (neighborhood !~ 'Souza') not valid`,
    'alter table organizations drop constraint planted',
    ['23514', '"constraint":"planted"'],
  ],
  [
    'a missing value',
    'alter table organizations add constraint planted not null city not valid',
    'alter table organizations drop constraint planted',
    ['23502', 'city'],
  ],
  [
    'a record that is not there',
    `create table planted (name text primary key);
     alter table organizations add constraint planted foreign key (neighborhood) references planted not valid`,
    'drop table planted cascade',
    ['23503', '"constraint":"planted"'],
  ],
  [
    'text that is no number',
    `${FUNCTION} 'begin perform new.neighborhood::bigint; return new; end'; ${TRIGGER}`,
    'drop function planted cascade',
    ['22P02', 'invalid input syntax for type bigint'],
  ],
  [
    'text that is no time',
    `${FUNCTION} 'begin perform new.neighborhood::timestamptz; return new; end'; ${TRIGGER}`,
    'drop function planted cascade',
    ['22007', 'invalid input syntax for type timestamp with time zone'],
  ],
  [
    'text that is no JSON',
    `${FUNCTION} 'begin perform new.neighborhood::jsonb; return new; end'; ${TRIGGER}`,
    'drop function planted cascade',
    ['22P02', 'invalid input syntax for type json'],
  ],
  [
    'a hint',
    `${FUNCTION} $$begin raise 'planted' using hint = new.neighborhood, detail = new.neighborhood; end$$; ${TRIGGER}`,
    'drop function planted cascade',
    ['P0001', 'planted'],
  ],
]

describe('the log of a request', () => {
  it.each(FAULTS)('names no value after %s', async (_what, planted, removed, logged) => {
    const [first, second] = [await app.world.organization(), await app.world.organization()]
    await first.owner.put(`/organizations/${first.id}`, { neighborhood: PERSON })
    await app.database.query(planted)
    try {
      app.log.length = 0
      const answer = await second.owner.put(`/organizations/${second.id}`, { neighborhood: PERSON })
      expect(answer.status).toBe(500)
      const log = app.log.join('')
      for (const part of logged) expect(log).toContain(part)
      for (const part of PARTS) expect(log + answer.raw.body).not.toContain(part)
    } finally {
      await app.database.query(removed)
      await app.database.query('update organizations set neighborhood = null')
    }
  })
})

describe('the row of a failed job', () => {
  it('names no value, nor does the log', async () => {
    const org = await app.world.organization({ name: PERSON })
    await app.database.query(`${FUNCTION} 'begin perform (new.content::text)::bigint; return new; end'`)
    await app.database.query(
      'create trigger planted before insert on inbox_entries for each row execute function planted()',
    )
    app.log.length = 0
    await sentQuote(org)
    await app.service.worker.drain()
    const failed = await app.database.query<{ last_error: string }>(
      'select last_error from jobs where organization_id = $1 and last_error is not null',
      [org.id],
    )
    expect(failed).toEqual([{ last_error: 'error: invalid input syntax for type bigint: "…"' }])
    const log = app.log.join('')
    expect(log).toContain('invalid input syntax for type bigint')
    for (const part of PARTS) expect(log).not.toContain(part)
    await app.database.query('drop function planted cascade')
  })
})
