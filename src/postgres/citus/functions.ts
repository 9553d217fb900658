// Functions of the coordinator (docs/scaling.md). They are made anew by each migration of a cluster, so that they belong to
// the version that runs.
import type { Client } from 'pg'
import { BOUND_SETTINGS } from '#kernel/database/distributed.ts'
import { APP, SYSTEM } from '../roles.ts'

export async function makeFunctions(client: Client): Promise<void> {
  await client.query(`grant usage on schema titular_distribution to ${APP}, ${SYSTEM}`)
  for (const definition of [TELL_NODES, ADD_ROW, ADD_EVENT, ADD_AUDIT_ENTRY, REPLACE_TERMS])
    await client.query(definition)
}

/** What requests and jobs have set by set_config, set again in the way that reaches the nodes (kernel/database/distributed.ts). */
const TELL_NODES = `
  create or replace function titular_distribution.tell_nodes() returns void language plpgsql as $$
  declare name text;
  begin
    foreach name in array '{${BOUND_SETTINGS.join(',')}}'::text[] loop
      execute format('set local %s = %L', name, coalesce(current_setting(name, true), ''));
    end loop;
  end $$`

/** Runs the statement that adds a row, whose values are in `record`, and the one that reads its image. */
const ADD_ROW = `
  create or replace function titular_distribution.add_row(organization_id bigint, record jsonb, insertion text, reading text)
  returns jsonb language plpgsql as $$
  declare id bigint; image jsonb;
  begin
    execute insertion using organization_id, record into id;
    execute reading using organization_id, id into image;
    return image;
  end $$`

/** One row from values, which is the one form of INSERT that Citus sends on without planning parts of it (kernel/data/trail.ts). */
const ADD_EVENT = `
  create or replace function titular_distribution.add_event(
    organization_id bigint, sequence bigint, type text, resource text, resource_id bigint, data jsonb, at timestamptz
  ) returns bigint language plpgsql as $$
  begin
    insert into events (organization_id, sequence, type, resource, resource_id, data, at)
    values ($1, $2, $3, $4, $5, $6, $7);
    -- Not RETURNING, for which the policies of reading are planned as well.
    return currval('events_id_seq');
  end $$`

const ADD_AUDIT_ENTRY = `
  create or replace function titular_distribution.add_audit_entry(
    organization_id bigint, at timestamptz, actor_kind text, actor_id bigint, actor text, action text, resource text,
    resource_id bigint, before jsonb, after jsonb, reason text, request_id text, ip text
  ) returns void language plpgsql as $$
  begin
    insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id,
                           before, after, reason, request_id, ip)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);
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
      execute 'insert into search_terms (organization_id, resource, resource_id, field, term) values ' || added || ' on conflict do nothing'
        using $1, $2, $3;
    end if;
  end $$`
