// Functions of a cluster (docs/scaling.md). A start makes them anew when they are not those of its version.
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { APP, SYSTEM } from '../roles.ts'
import { isDistributed } from './cluster.ts'
import { BOUND_SETTINGS } from './tell-nodes.ts'

/**
 * Raised when `change` gets other members than before: processes of the version before are left alone with its
 * functions.
 */
const CONTRACT = 1
/** Raised when there is something else to be made beside the functions. */
const MADE = 1
/** What a start finds as the comment of the schema that the functions are in. */
const versionOf = (definitions: readonly string[]) =>
  `${CONTRACT} ${createHash('sha256')
    .update([MADE, ...definitions].join())
    .digest('hex')}`

/** For a connection of the owner, which ends when this fails. Does nothing where nothing is distributed. */
export async function refreshFunctions(client: Client): Promise<void> {
  if (!(await isDistributed(client))) return
  const areOlder = async () => {
    const { rows } = await client.query<{ version: string | null }>(
      `select obj_description('titular_distribution'::regnamespace, 'pg_namespace') as version`,
    )
    const version = rows[0]?.version ?? ''
    return version !== versionOf(DEFINITIONS) && !(Number.parseInt(version, 10) > CONTRACT)
  }
  if (!(await areOlder())) return
  await oneAtATime(client, async () => {
    if (!(await areOlder())) return
    await makeFunctions(client)
    await distributeFunctions(client)
  })
}

/** Processes that start at once make functions one after the other. */
export async function oneAtATime<Result>(client: Client, make: () => Promise<Result>): Promise<Result> {
  await client.query(`select pg_advisory_lock(hashtext('titular_distribution'))`)
  const made = await make()
  await client.query(`select pg_advisory_unlock(hashtext('titular_distribution'))`)
  return made
}

export async function makeFunctions(client: Client): Promise<void> {
  await client.query(`grant usage on schema titular_distribution to ${APP}, ${SYSTEM}`)
  await client.query('begin')
  for (const definition of DEFINITIONS) await client.query(definition)
  await client.query('commit')
  await makeTwoPhases(client)
}

/** A table of the coordinator that Citus knows: two-phases.ts. */
async function makeTwoPhases(client: Client): Promise<void> {
  await client.query('create table if not exists titular_distribution.two_phases (id integer primary key)')
  await client.query(`grant select, delete on titular_distribution.two_phases to ${APP}, ${SYSTEM}`)
  await client.query(
    `select citus_add_local_table_to_metadata('titular_distribution.two_phases')
      where not exists (select from pg_dist_partition
          where logicalrelid = 'titular_distribution.two_phases'::regclass)`,
  )
}

/**
 * Once the first table is distributed: the node that has the organization runs its change, and each node has the
 * functions that were made before it was there; those with rights of their owner are for tables of the coordinator.
 */
export async function distributeFunctions(client: Client): Promise<void> {
  await client.query(
    `select create_distributed_function(p.oid::regprocedure)
       from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.prosecdef
          and pg_get_userbyid(p.proowner) = current_user
        and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`,
  )
  await client.query(
    `select create_distributed_function('titular_distribution.change_at_node(bigint, jsonb)', 'organization_id',
       colocate_with => 'events', force_delegation => true)
      where exists (select from pg_dist_partition where logicalrelid = 'events'::regclass)`,
  )
  await client.query(`comment on schema titular_distribution is '${versionOf(DEFINITIONS)}'`)
}

/** What requests and jobs have set by set_config, set again in the way that reaches the nodes (tell-nodes.ts). */
const TELL_NODES = `
  create or replace function titular_distribution.tell_nodes() returns void language plpgsql as $$
  declare name text;
  begin
    foreach name in array '{${BOUND_SETTINGS.join(',')}}'::text[] loop
      execute format('set local %s = %L', name, coalesce(current_setting(name, true), ''));
    end loop;
  end $$`

/**
 * A change of changes.ts. What belongs to the coordinator is done here: numbers, the sequence of events, jobs,
 * and rows of its own tables. All else is one call, which the node of the organization runs in the same transaction.
 */
const CHANGE = `
  create or replace function titular_distribution.change(organization_id bigint, change jsonb) returns jsonb
      language plpgsql as $$
  declare
    name text := change ->> 'table';
    event_id bigint := nextval('events_id_seq');
    written jsonb := coalesce(change -> 'record', '{}');
    whole jsonb := change; images jsonb; result jsonb; sequence bigint; ids regclass;
  begin
    select written || coalesce(jsonb_object_agg(c, now()), '{}') into written
        from jsonb_array_elements_text(change -> 'stamped') c;
    if change ->> 'operation' = 'insert' and not written ? 'id' then
      -- Some tables share the sequence of another one, in their default.
      select coalesce(pg_get_serial_sequence(name, 'id')::regclass, d.refobjid::regclass) into ids
        from pg_attribute a left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
        left join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid
            and d.refobjid in (select oid from pg_class where relkind = 'S')
       where a.attrelid = name::regclass and a.attname = 'id';
      written := written || jsonb_build_object('id', nextval(ids));
    end if;
    select s.last_sequence + 1 into sequence from event_sequences s where s.organization_id = $1;
    whole := whole || jsonb_build_object('record', written, 'sequence', sequence, 'event_id', event_id,
                                         'entry_id', nextval('audit_log_id_seq'));
    if not exists (select from pg_dist_partition p where p.logicalrelid = name::regclass and p.partmethod = 'h') then
      images := titular_distribution.write_row($1, whole);
      if images is null or not (images ->> 'is_written')::boolean then return images; end if;
      whole := whole || jsonb_build_object('images', images);
    end if;
    -- Planned for these values, by which Citus finds the node; in FROM, since plpgsql itself evaluates what is simpler.
    execute 'select * from titular_distribution.change_at_node($1, $2)' into result using $1, whole;
    if (result ->> 'is_changed')::boolean then
      update event_sequences s set last_sequence = sequence where s.organization_id = $1;
      insert into jobs (organization_id, kind, key, run_at, payload)
      select $1, kind, concat_ws(':', kind, change ->> 'resource', result -> 'id', $1),
          (change ->> 'jobs_at')::timestamptz,
             jsonb_build_object('event_id', event_id, 'resource_id', result -> 'id')
        from jsonb_array_elements_text(change -> 'jobs') as kind;
    end if;
    return result;
  end $$`

/**
 * Null when the row is not there; not written when its state does not allow the change. The values of the row are read
 * once, and given as texts of their types: a record in the statement would be sent on as often as it has columns.
 */
const WRITE_ROW = `
  create or replace function titular_distribution.write_row(organization_id bigint, change jsonb) returns jsonb
      language plpgsql as $$
  declare
    name text := change ->> 'table'; id bigint := change ->> 'id'; operation text := change ->> 'operation';
    columns text; texts text; typed text; settings text; given jsonb;
    former record; present record; was jsonb; now jsonb; rows int;
  begin
    if operation <> 'insert' then
      execute format('select t.* from %I t where t.organization_id = $1 and t.id = $2 for update', name) into former
          using $1, id;
      get diagnostics rows = row_count;
      if rows = 0 then return null; end if;
      execute change ->> 'imaging' into was using to_jsonb(former);
    end if;
    if operation = 'delete' then
      execute format('delete from %I t where t.organization_id = $1 and t.id = $2', name) using $1, id;
    else
      select string_agg(format('%I', c.name), ', ' order by n),
          string_agg(format('r.%I::text', c.name), ', ' order by n),
             string_agg(case when c.name = 'organization_id' then '$1' else format('($3 ->> %s)::%s', n, c.type) end,
                 ', ' order by n),
             string_agg(format('%I = ($3 ->> %s)::%s', c.name, n, c.type), ', ' order by n)
        into columns, texts, typed, settings
        from (select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, row_number() over () - 1 as n
                from pg_attribute a where a.attrelid = name::regclass and a.attnum > 0
                    and change -> 'record' ? a.attname::text) c;
      execute format('select to_jsonb(array[%s]) from jsonb_populate_record(null::%I, $1) r', texts, name) into given
          using change -> 'record';
      if jsonb_array_length(given) <> (select count(*) from jsonb_object_keys(change -> 'record')) then
        raise 'the record has columns that % has not: %', name, array(select jsonb_object_keys(change -> 'record'));
      end if;
      execute case operation
        when 'insert' then format('insert into %I (%s) values (%s) returning *', name, columns, typed)
        else format('update %I t set %s where t.organization_id = $1 and t.id = $2 %s returning t.*', name, settings,
            change ->> 'guard')
      end into present using $1, id, given;
    end if;
    get diagnostics rows = row_count;
    if rows > 0 and operation <> 'delete' then
      execute change ->> 'imaging' into now using to_jsonb(present);
    end if;
    return jsonb_build_object('was', was, 'now', now, 'row', coalesce(now, was), 'is_written', rows > 0,
                              'was_status', was -> (change ->> 'status'));
  end $$`

/**
 * The row, unless its images are there, with audit entry, event and search terms: each is one row from values, which
 * Citus runs as it is.
 */
const CHANGE_AT_NODE = `
  create or replace function titular_distribution.change_at_node(organization_id bigint, change jsonb) returns jsonb
      language plpgsql as $$
  declare
    images jsonb := coalesce(change -> 'images', titular_distribution.write_row($1, change));
    was jsonb := nullif(images -> 'was', 'null'); now jsonb := nullif(images -> 'now', 'null');
    id bigint := images -> 'row' ->> 'id'; lost jsonb; gained jsonb; data jsonb; former jsonb; present jsonb;
  begin
    if images is null or not (images ->> 'is_written')::boolean then return images; end if;
    execute change ->> 'comparing' into lost, gained using was, now;
    if lost is not null or gained is not null then
      data := coalesce(now, was) - array(select jsonb_array_elements_text(change -> 'masked'));
      insert into events (id, organization_id, sequence, type, resource, resource_id, data, at)
      values ((change -> 'event_id')::bigint, $1, (change -> 'sequence')::bigint, change ->> 'type',
          change ->> 'resource', id, data,
              (change ->> 'at')::timestamptz);
      insert into audit_log (id, organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id,
                             before, after, reason, request_id, ip)
      values ((change -> 'entry_id')::bigint, $1, (change ->> 'at')::timestamptz, change ->> 'actor_kind',
          (change ->> 'actor_id')::bigint,
              change ->> 'actor', change ->> 'action', change ->> 'resource', id, lost, gained, change ->> 'reason',
              change ->> 'request_id', change ->> 'ip');
      if change ->> 'finding' is not null then
        execute change ->> 'finding' into former, present using was, now, lost, gained;
        perform titular_distribution.replace_terms($1, change ->> 'resource', id, former, present);
      end if;
    end if;
    return (images - '{was,now}'::text[])
           || jsonb_build_object('id', id, 'is_changed', lost is not null or gained is not null);
  end $$`

/** Former and new terms are arrays of [field, term]; null is none. */
const REPLACE_TERMS = `
  create or replace function titular_distribution.replace_terms(
    organization_id bigint, resource text, resource_id bigint, former jsonb, present jsonb
  ) returns void language plpgsql as $$
  declare
    gone text[]; terms text[]; added text;
  begin
    select array_agg(p ->> 0 || ':' || (p ->> 1)), array_agg(p ->> 1) into gone, terms
      from (select jsonb_array_elements(former) except select jsonb_array_elements(present)) d (p);
    if gone is not null then
      delete from search_terms s
       where s.organization_id = $1 and s.resource = $2 and s.term = any(terms) and s.resource_id = $3
         and s.field || ':' || s.term = any(gone);
    end if;
    select string_agg(format('($1, $2, $3, %L, %L)', p ->> 0, p ->> 1), ', ') into added
      from (select jsonb_array_elements(present) except select jsonb_array_elements(former)) d (p);
    if added is not null then
      execute 'insert into search_terms (organization_id, resource, resource_id, field, term) values ' || added ||
          ' on conflict do nothing'
        using $1, $2, $3;
    end if;
  end $$`

const DEFINITIONS = [TELL_NODES, REPLACE_TERMS, WRITE_ROW, CHANGE_AT_NODE, CHANGE]
