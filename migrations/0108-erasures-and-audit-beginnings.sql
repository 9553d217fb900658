-- What an erasure looks for, and the signed beginning of audit logs whose old entries were removed (docs/decisions/0108).

-- The addresses that the person has had and nobody else has, while the erasure is running. Null before and afterwards.
alter table erasures add column addresses text[];

-- What staff write about why they enter an organization.
grant update (reason) on staff_entries to titular_system;

-- A regular expression for any of the addresses, but not for longer ones that have one of them in it. Null for none.
create function addresses_pattern(addresses text[]) returns text
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select '(^|[^[:alnum:]._%+-])(' || string_agg(regexp_replace(a, '([^[:alnum:]])', '\\\1', 'g'), '|') || ')(?![[:alnum:]-]|\.[[:alnum:]])'
    from unnest(addresses) a
$$;

drop function without_person(text, text, text, text, boolean);
-- A JSON text, or a sentence, without the person: their addresses wherever they are; where it is about them also their name, as
-- the value of a member that holds names, and a name of several words wherever it is. Other values may be equal to a short name.
create function without_person(content text, pattern text, person_name text, replacement text, is_about boolean) returns text
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select case
    when not is_about then c.cleared
    when person_name ~ '[^[:space:]][[:space:]]+[^[:space:]]'
      then regexp_replace(c.named, '(^|[^[:alnum:]])' || c.escaped || '(?![[:alnum:]])', '\1erased', 'gi')
    else c.named end
    from (
      select o.cleared, o.escaped, regexp_replace(o.cleared, '("[a-z_]*name": )"' || o.escaped || '"', '\1"erased"', 'g') as named
        from (
          select coalesce(regexp_replace(content, pattern, '\1' || replacement, 'gi'), content) as cleared,
                 regexp_replace(person_name, '([^[:alnum:][:space:]])', '\\\1', 'g') as escaped) o) c
$$;

-- As `name` is in a JSON text.
create function within_json(name text) returns text
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select substr(to_jsonb(name)::text, 2, length(to_jsonb(name)::text) - 2)
$$;

create or replace function erase_from_audit_log(erasure bigint, first_id bigint, last_id bigint)
returns table (owner bigint, entry_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  with person as (
    select u.id, u.name, within_json(u.name) as json_name, addresses_pattern(coalesce(e.addresses, array[u.email])) as pattern,
           'erased-' || u.id || '@erased.invalid' as replacement
      from erasures e join users u on u.id = e.user_id where e.id = erasure and e.status = 'running'
  ), found as (
    select l.organization_id, l.id, l.actor_id is not distinct from p.id as is_actor,
           without_person(l.before::text, p.pattern, p.json_name, p.replacement, true) as before,
           without_person(l.after::text, p.pattern, p.json_name, p.replacement, true) as after,
           without_person(l.reason, p.pattern, p.name, p.replacement, true) as reason
      from audit_log l cross join person p
     where l.id between first_id and last_id
       and (l.actor_id is not distinct from p.id
         or concat(l.before, l.after) ~ ('"(user_id|created_by|author_id|changed_by|requested_by|uploaded_by|recorded_by|owner_id)": ' || p.id || '[,}]')
         or coalesce(concat(l.before, l.after, l.reason) ~* p.pattern, false))
  )
  update audit_log l set before = f.before::jsonb, after = f.after::jsonb, reason = f.reason,
         actor = case when f.is_actor then 'erased' else l.actor end, ip = case when f.is_actor then null else l.ip end
    from found f
   where l.organization_id = f.organization_id and l.id = f.id
     and (f.before::jsonb is distinct from l.before or f.after::jsonb is distinct from l.after or f.reason is distinct from l.reason
          or f.is_actor and (l.actor <> 'erased' or l.ip is not null))
  returning l.organization_id, l.id
$$;

create or replace function erase_from_service_audit(erasure bigint, first_id bigint, last_id bigint) returns setof bigint
language sql security definer set search_path = public, pg_temp as $$
  with person as (
    select u.id, within_json(u.name) as json_name, addresses_pattern(coalesce(e.addresses, array[u.email])) as pattern,
           'erased-' || u.id || '@erased.invalid' as replacement
      from erasures e join users u on u.id = e.user_id where e.id = erasure and e.status = 'running'
  ), about as (
    select l.id, l.details, p.pattern, p.json_name, p.replacement,
           l.resource = 'user' and l.resource_id is not distinct from p.id as is_account,
           l.actor_id is not distinct from p.id or l.resource = 'user' and l.resource_id is not distinct from p.id as is_about
      from service_audit l cross join person p where l.id between first_id and last_id
  ), found as (
    -- Entries about the account may have addresses, names and numbers that it had before.
    select a.id, a.is_about, without_person(
             case when a.is_account
                  then regexp_replace(regexp_replace(a.details::text, '"[^"@[:space:]]+@[^"@[:space:]]+"(?!:)', '"' || a.replacement || '"', 'g'),
                         '"(name|phone|avatar|login)": "([^"\\]|\\.)*"', '"\1": "erased"', 'g')
                  else a.details::text end,
             a.pattern, a.json_name, a.replacement, a.is_about or coalesce(a.details::text ~* a.pattern, false)) as details
      from about a
  )
  update service_audit l set details = f.details::jsonb,
         actor = case when f.is_about and l.actor_kind = 'user' and l.actor_id = (select id from person) then 'erased' else l.actor end,
         ip = case when f.is_about then null else l.ip end
    from found f
   where l.id = f.id
     and (f.details::jsonb is distinct from l.details
          or f.is_about and (l.ip is not null or l.actor_kind = 'user' and l.actor_id = (select id from person) and l.actor <> 'erased'))
  returning l.id
$$;

-- Where the chains of the audit logs begin once old entries were removed: the ends of what is gone, signed (a compact JWS). Only
-- `audit remove-old` writes it, as the owner of the tables; the service's roles have no right to it.
create table audit_beginning (
  id smallint primary key default 1 check (id = 1),
  made_at timestamptz not null,
  jws text not null
);
