-- Rights on the schema

grant create, usage on schema public to titular_owner with grant option;
grant usage on schema public to public;

-- Functions

CREATE OR REPLACE FUNCTION public.addresses_pattern(addresses text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select '(^|[^[:alnum:]._%+-])(' || string_agg(regexp_replace(a, '([^[:alnum:]])', '\\\1', 'g'), '|') || ')(?![[:alnum:]-]|\.[[:alnum:]])'
    from unnest(addresses) a
$function$;
grant execute on function addresses_pattern(text[]) to public;

CREATE OR REPLACE FUNCTION public.currency_digits(currency text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when currency in ('BIF','CLP','DJF','GNF','ISK','JPY','KMF','KRW','PYG','RWF','UGX','VND','VUV','XAF','XOF','XPF') then 0
              when currency in ('BHD','IQD','JOD','KWD','LYD','OMR','TND') then 3
              else 2 end
$function$;
grant execute on function currency_digits(text) to public;

CREATE OR REPLACE FUNCTION public.earning_days(line_items jsonb, paid_at timestamp with time zone, period_end timestamp with time zone)
 RETURNS daterange
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select daterange((paid_at at time zone 'UTC')::date - 1, greatest(
    (period_end at time zone 'UTC')::date,
    ((paid_at at time zone 'UTC')::date + make_interval(months => coalesce(max((n.term #>> '{}')::int), 0)))::date) + 2)
    from jsonb_path_query(line_items, '$[*].term_months ? (@ != null)') as n (term)
$function$;
grant execute on function earning_days(jsonb,timestamp with time zone,timestamp with time zone) to public;

CREATE OR REPLACE FUNCTION public.erase_from_audit_log(erasure bigint, first_id bigint, last_id bigint)
 RETURNS TABLE(owner bigint, entry_id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with person as (
    select u.id, u.name, within_json(u.name) as json_name, addresses_pattern(coalesce(e.addresses, array[u.email])) as pattern,
           'erased-' || u.id || '@erased.invalid' as replacement
      from erasures e join users u on u.id = e.user_id where e.id = erasure and e.status = 'running'
  ), found as (
    select l.organization_id, l.id, l.actor_id is not distinct from p.id as is_actor,
           without_person(said.before::text, p.pattern, p.json_name, p.replacement, true) as before,
           without_person(said.after::text, p.pattern, p.json_name, p.replacement, true) as after,
           without_person(l.reason, p.pattern, p.name, p.replacement, true) as reason
      from audit_log l cross join person p
     -- What somebody has said of a ticket is removed from the rating too.
     cross join lateral (
       select case when r.is_own then jsonb_set(l.before, '{comment}', 'null', false) else l.before end as before,
              case when r.is_own then jsonb_set(l.after, '{comment}', 'null', false) else l.after end as after
         from (select l.resource = 'ticket_rating' and l.actor_id is not distinct from p.id as is_own) r) said
     where l.id between first_id and last_id
       and (l.actor_id is not distinct from p.id
         or concat(l.before, l.after) ~ ('"(user_id|created_by|author_id|changed_by|requested_by|uploaded_by|recorded_by|owner_id)": ' || p.id || '[,}]')
         or coalesce(concat(l.before, l.after, l.reason) ~* p.pattern, false))
  ), changed as (
    update audit_log l set before = f.before::jsonb, after = f.after::jsonb, reason = f.reason,
           actor = case when f.is_actor then 'erased' else l.actor end, ip = case when f.is_actor then null else l.ip end
      from found f
     where l.organization_id = f.organization_id and l.id = f.id
       and (f.before::jsonb is distinct from l.before or f.after::jsonb is distinct from l.after or f.reason is distinct from l.reason
            or f.is_actor and (l.actor <> 'erased' or l.ip is not null))
    returning l.organization_id, l.id, l.at, l.actor_kind, l.actor_id, l.actor, l.action, l.resource, l.resource_id, l.before, l.after, l.reason,
              l.request_id, l.ip
  ), redacted as (
    insert into audit_redactions (organization_id, entry_id, erasure_id, hash)
    select s.organization_id, s.entry_id, erasure, sha256(s.hash || convert_to(jsonb_build_array(1, 'audit_log', l.organization_id, l.id,
             to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), l.actor_kind, l.actor_id, l.actor, l.action, l.resource,
             l.resource_id, l.before, l.after, l.reason, l.request_id, l.ip)::text, 'UTF8'))
      from changed l join audit_seals s on s.organization_id = l.organization_id and s.entry_id = l.id
    on conflict (organization_id, entry_id) do update set erasure_id = excluded.erasure_id, hash = excluded.hash
    returning 1
  )
  select c.organization_id, c.id from changed c
$function$;
grant execute on function erase_from_audit_log(bigint,bigint,bigint) to titular_system;

CREATE OR REPLACE FUNCTION public.erase_from_service_audit(erasure bigint, first_id bigint, last_id bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
                         '"(name|phone|avatar|login|provider)": "([^"\\]|\\.)*"', '"\1": "erased"', 'g')
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
$function$;
grant execute on function erase_from_service_audit(bigint,bigint,bigint) to titular_system;

CREATE OR REPLACE FUNCTION public.fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'))
$function$;
grant execute on function fold(text) to public;

CREATE OR REPLACE FUNCTION public.mails_to_address(address text, kinds text[], since timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('mails to ' || lower(address), 0));
  return (select count(*) from mails where email = lower(address) and kind = any(kinds) and created_at > since);
end $function$;
grant execute on function mails_to_address(text,text[],timestamp with time zone) to titular_app;
grant execute on function mails_to_address(text,text[],timestamp with time zone) to titular_system;

CREATE OR REPLACE FUNCTION public.remove_from_organization(erasure bigint, table_name text, most integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  owner bigint;
  phase text;
  working constant text[] := array['ticket_issue_comments', 'issue_references', 'issue_syncs', 'ticket_issues', 'ticket_history',
    'ticket_attachments', 'ticket_comments', 'ticket_ratings', 'tickets', 'milestones', 'service_history', 'services',
    'site_reports', 'sites', 'maintenance_windows', 'environment_history', 'environments', 'document_accesses', 'document_shares', 'document_versions',
    'documents', 'download_counts', 'licenses', 'dunning_cases', 'commerce_orders', 'crm_deals', 'crm_companies', 'crm_proposals',
    'quote_links', 'quote_requests', 'webhook_deliveries', 'webhook_queues', 'webhook_endpoints', 'idempotency_keys',
    'inbox_entries', 'notice_preferences', 'mails', 'staff_entries', 'imported_records', 'search_terms', 'claims',
    'organization_contacts', 'muted_addresses', 'contact_confirmations',
    'organization_exports', 'audit_exports', 'api_keys', 'collaborators', 'organization_roles', 'sso_connections',
    'test_clocks', 'jobs'];
  fiscal constant text[] := array['filed_documents', 'tax_invoice_documents', 'tax_invoices', 'credit_balance_entries',
    'credit_notes', 'refunds', 'disputes', 'credit_balances', 'payments', 'payment_references', 'affiliate_entries', 'commissions',
    'affiliate_payouts', 'affiliates', 'contract_history', 'contracts', 'invoices', 'entitlements', 'orders'];
begin
  select e.organization_id, e.status into owner, phase from organization_erasures e
    join organizations o on o.organization_id = e.organization_id and o.id = e.organization_id
   where e.id = erasure and o.erased_at is not null
     and (e.status in ('running', 'ending') and table_name = any(working) or e.status = 'ending' and table_name = any(fiscal));
  if owner is null then
    raise exception 'nothing of % is to be removed by erasure %', table_name, erasure;
  end if;
  if table_name = 'maintenance_windows' then
    update environments set maintenance_window_id = null where organization_id = owner and maintenance_window_id is not null;
  end if;
  if table_name = 'jobs' then
    -- Those that remove bytes are left, since no row names the bytes any more, and those that archive fiscal documents.
    return query with gone as (delete from jobs where ctid = any(array(select ctid from jobs where organization_id = owner
        and kind <> 'files/remove' and (phase = 'ending' or not starts_with(kind, 'filed-documents/')) limit most)) returning 1)
      select null::text from gone;
    return;
  end if;
  if table_name = 'orders' then
    -- Each names the other, so they go in one statement.
    return query with quoted as (delete from quotes where organization_id = owner)
      delete from orders where organization_id = owner returning null::text;
    return;
  end if;
  return query execute format(
    'with gone as (delete from %I where organization_id = $1 and ctid = any(array(select ctid from %I where organization_id = $1 limit $2)) returning *)
     select to_jsonb(gone) ->> ''storage_key'' from gone', table_name, table_name) using owner, most;
end $function$;
grant execute on function remove_from_organization(bigint,text,integer) to titular_system;

CREATE OR REPLACE FUNCTION public.scopes_without(granted text[], hidden text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select array(select scope from unnest(granted) with ordinality g (scope, place)
                where scope <> all(hidden) order by place);
$function$;
grant execute on function scopes_without(text[],text[]) to public;

CREATE OR REPLACE FUNCTION public.search_phrase(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select left(btrim(regexp_replace(fold(left(value, 500)), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g')), 64)
$function$;
grant execute on function search_phrase(text) to public;

CREATE OR REPLACE FUNCTION public.search_terms_of(value text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select distinct left(array_to_string(w.words[n:], ' '), 64)
    from (select string_to_array(btrim(regexp_replace(fold(left(value, 500)),
            '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g')), ' ') as words) w,
         generate_series(1, least(20, cardinality(w.words))) n
$function$;
grant execute on function search_terms_of(text) to public;

CREATE OR REPLACE PROCEDURE public.tenant_policies(IN name text)
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $procedure$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy owner_all on %I to titular_owner using (true) with check (true)', name);
  execute format('create policy system_all on %I to titular_system using (true) with check (true)', name);
  execute format('create policy tenant on %I to titular_app
    using (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)
    with check (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::bigint)', name);
  execute format('grant select, insert, update on %I to titular_app, titular_system', name);
  grant usage on all sequences in schema public to titular_app, titular_system;
end $procedure$;

CREATE OR REPLACE FUNCTION public.visible_scopes(granted text[], hidden text[], by_default text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(scopes_without(granted, nullif(coalesce(hidden, by_default), '{}')), granted);
$function$;
grant execute on function visible_scopes(text[],text[],text[]) to public;

CREATE OR REPLACE FUNCTION public.within_json(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select substr(to_jsonb(name)::text, 2, length(to_jsonb(name)::text) - 2)
$function$;
grant execute on function within_json(text) to public;

CREATE OR REPLACE FUNCTION public.without_person(content text, pattern text, person_name text, replacement text, is_about boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;
grant execute on function without_person(text,text,text,text,boolean) to public;

-- Sequences

create sequence address_undos_id_seq; -- of address_undos.id
grant usage on sequence address_undos_id_seq to titular_app;
grant usage on sequence address_undos_id_seq to titular_system;
create sequence affiliate_entries_id_seq; -- of affiliate_entries.id
grant usage on sequence affiliate_entries_id_seq to titular_app;
grant usage on sequence affiliate_entries_id_seq to titular_system;
create sequence affiliate_payouts_id_seq; -- of affiliate_payouts.id
grant usage on sequence affiliate_payouts_id_seq to titular_app;
grant usage on sequence affiliate_payouts_id_seq to titular_system;
create sequence affiliates_id_seq; -- of affiliates.id
grant usage on sequence affiliates_id_seq to titular_app;
grant usage on sequence affiliates_id_seq to titular_system;
create sequence api_keys_id_seq; -- of api_keys.id
grant usage on sequence api_keys_id_seq to titular_app;
grant usage on sequence api_keys_id_seq to titular_system;
create sequence audit_exports_id_seq; -- of audit_exports.id
grant usage on sequence audit_exports_id_seq to titular_app;
grant usage on sequence audit_exports_id_seq to titular_system;
create sequence audit_log_id_seq; -- of audit_log.id
grant usage on sequence audit_log_id_seq to titular_app;
grant usage on sequence audit_log_id_seq to titular_system;
create sequence canned_replies_id_seq; -- of canned_replies.id
grant usage on sequence canned_replies_id_seq to titular_app;
grant usage on sequence canned_replies_id_seq to titular_system;
create sequence collaborators_id_seq; -- of collaborators.id
grant usage on sequence collaborators_id_seq to titular_app;
grant usage on sequence collaborators_id_seq to titular_system;
create sequence commerce_orders_id_seq; -- of commerce_orders.id
grant usage on sequence commerce_orders_id_seq to titular_app;
grant usage on sequence commerce_orders_id_seq to titular_system;
create sequence commissions_id_seq; -- of commissions.id
grant usage on sequence commissions_id_seq to titular_app;
grant usage on sequence commissions_id_seq to titular_system;
create sequence company_settings_history_id_seq; -- of company_settings_history.id
grant usage on sequence company_settings_history_id_seq to titular_app;
grant usage on sequence company_settings_history_id_seq to titular_system;
create sequence consents_id_seq; -- of consents.id
grant usage on sequence consents_id_seq to titular_app;
grant usage on sequence consents_id_seq to titular_system;
create sequence contact_confirmations_id_seq; -- of contact_confirmations.id
grant usage on sequence contact_confirmations_id_seq to titular_app;
grant usage on sequence contact_confirmations_id_seq to titular_system;
create sequence contract_history_id_seq; -- of contract_history.id
grant usage on sequence contract_history_id_seq to titular_app;
grant usage on sequence contract_history_id_seq to titular_system;
create sequence contracts_id_seq; -- of contracts.id
grant usage on sequence contracts_id_seq to titular_app;
grant usage on sequence contracts_id_seq to titular_system;
create sequence credit_balance_entries_id_seq; -- of credit_balance_entries.id
grant usage on sequence credit_balance_entries_id_seq to titular_app;
grant usage on sequence credit_balance_entries_id_seq to titular_system;
create sequence credit_balances_id_seq; -- of credit_balances.id
grant usage on sequence credit_balances_id_seq to titular_app;
grant usage on sequence credit_balances_id_seq to titular_system;
create sequence credit_notes_id_seq; -- of credit_notes.id
grant usage on sequence credit_notes_id_seq to titular_app;
grant usage on sequence credit_notes_id_seq to titular_system;
create sequence crm_deals_id_seq; -- of crm_deals.id
grant usage on sequence crm_deals_id_seq to titular_app;
grant usage on sequence crm_deals_id_seq to titular_system;
create sequence crm_proposals_id_seq; -- of crm_proposals.id
grant usage on sequence crm_proposals_id_seq to titular_app;
grant usage on sequence crm_proposals_id_seq to titular_system;
create sequence disputes_id_seq; -- of disputes.id
grant usage on sequence disputes_id_seq to titular_app;
grant usage on sequence disputes_id_seq to titular_system;
create sequence document_accesses_id_seq; -- of document_accesses.id
grant usage on sequence document_accesses_id_seq to titular_app;
grant usage on sequence document_accesses_id_seq to titular_system;
create sequence document_shares_id_seq; -- of document_shares.id
grant usage on sequence document_shares_id_seq to titular_app;
grant usage on sequence document_shares_id_seq to titular_system;
create sequence document_versions_id_seq; -- of document_versions.id
grant usage on sequence document_versions_id_seq to titular_app;
grant usage on sequence document_versions_id_seq to titular_system;
create sequence download_counts_id_seq; -- of download_counts.id
grant usage on sequence download_counts_id_seq to titular_app;
grant usage on sequence download_counts_id_seq to titular_system;
create sequence entitlements_id_seq; -- of entitlements.id
grant usage on sequence entitlements_id_seq to titular_app;
grant usage on sequence entitlements_id_seq to titular_system;
create sequence environment_history_id_seq; -- of environment_history.id
grant usage on sequence environment_history_id_seq to titular_app;
grant usage on sequence environment_history_id_seq to titular_system;
create sequence environments_id_seq; -- of environments.id
grant usage on sequence environments_id_seq to titular_app;
grant usage on sequence environments_id_seq to titular_system;
create sequence erasures_id_seq; -- of erasures.id
grant usage on sequence erasures_id_seq to titular_app;
grant usage on sequence erasures_id_seq to titular_system;
create sequence events_id_seq; -- of events.id
grant usage on sequence events_id_seq to titular_app;
grant usage on sequence events_id_seq to titular_system;
create sequence exports_id_seq; -- of exports.id
grant usage on sequence exports_id_seq to titular_app;
grant usage on sequence exports_id_seq to titular_system;
create sequence filed_documents_id_seq; -- of filed_documents.id
grant usage on sequence filed_documents_id_seq to titular_app;
grant usage on sequence filed_documents_id_seq to titular_system;
create sequence import_rows_id_seq; -- of import_rows.id
grant usage on sequence import_rows_id_seq to titular_app;
grant usage on sequence import_rows_id_seq to titular_system;
create sequence imports_id_seq; -- of imports.id
grant usage on sequence imports_id_seq to titular_app;
grant usage on sequence imports_id_seq to titular_system;
create sequence inbox_entries_id_seq; -- of inbox_entries.id
grant usage on sequence inbox_entries_id_seq to titular_app;
grant usage on sequence inbox_entries_id_seq to titular_system;
create sequence invoices_id_seq; -- of invoices.id
grant usage on sequence invoices_id_seq to titular_app;
grant usage on sequence invoices_id_seq to titular_system;
create sequence jobs_id_seq; -- of jobs.id
grant usage on sequence jobs_id_seq to titular_app;
grant usage on sequence jobs_id_seq to titular_system;
create sequence licenses_id_seq; -- of licenses.id
grant usage on sequence licenses_id_seq to titular_app;
grant usage on sequence licenses_id_seq to titular_system;
create sequence mails_id_seq; -- of mails.id
grant usage on sequence mails_id_seq to titular_app;
grant usage on sequence mails_id_seq to titular_system;
create sequence maintenance_windows_id_seq; -- of maintenance_windows.id
grant usage on sequence maintenance_windows_id_seq to titular_app;
grant usage on sequence maintenance_windows_id_seq to titular_system;
create sequence milestones_id_seq; -- of milestones.id
grant usage on sequence milestones_id_seq to titular_app;
grant usage on sequence milestones_id_seq to titular_system;
create sequence municipal_parameters_id_seq; -- of municipal_parameters.id
grant usage on sequence municipal_parameters_id_seq to titular_app;
grant usage on sequence municipal_parameters_id_seq to titular_system;
create sequence orders_id_seq; -- of orders.id
grant usage on sequence orders_id_seq to titular_app;
grant usage on sequence orders_id_seq to titular_system;
create sequence organization_contacts_id_seq; -- of organization_contacts.id
grant usage on sequence organization_contacts_id_seq to titular_app;
grant usage on sequence organization_contacts_id_seq to titular_system;
create sequence organization_erasures_id_seq; -- of organization_erasures.id
grant usage on sequence organization_erasures_id_seq to titular_app;
grant usage on sequence organization_erasures_id_seq to titular_system;
create sequence organization_exports_id_seq; -- of organization_exports.id
grant usage on sequence organization_exports_id_seq to titular_app;
grant usage on sequence organization_exports_id_seq to titular_system;
create sequence organization_roles_id_seq; -- of organization_roles.id
grant usage on sequence organization_roles_id_seq to titular_app;
grant usage on sequence organization_roles_id_seq to titular_system;
create sequence organizations_id_seq; -- of organizations.id
grant usage on sequence organizations_id_seq to titular_app;
grant usage on sequence organizations_id_seq to titular_system;
create sequence passkeys_id_seq; -- of passkeys.id
grant usage on sequence passkeys_id_seq to titular_app;
grant usage on sequence passkeys_id_seq to titular_system;
create sequence payments_id_seq; -- of payments.id
grant usage on sequence payments_id_seq to titular_app;
grant usage on sequence payments_id_seq to titular_system;
create sequence person_exports_id_seq; -- of person_exports.id
grant usage on sequence person_exports_id_seq to titular_app;
grant usage on sequence person_exports_id_seq to titular_system;
create sequence price_index_rates_id_seq; -- of price_index_rates.id
grant usage on sequence price_index_rates_id_seq to titular_app;
grant usage on sequence price_index_rates_id_seq to titular_system;
create sequence prices_id_seq; -- of prices.id
grant usage on sequence prices_id_seq to titular_app;
grant usage on sequence prices_id_seq to titular_system;
create sequence products_id_seq; -- of products.id
grant usage on sequence products_id_seq to titular_app;
grant usage on sequence products_id_seq to titular_system;
create sequence provider_events_id_seq; -- of provider_events.id
grant usage on sequence provider_events_id_seq to titular_app;
grant usage on sequence provider_events_id_seq to titular_system;
create sequence quote_links_id_seq; -- of quote_links.id
grant usage on sequence quote_links_id_seq to titular_app;
grant usage on sequence quote_links_id_seq to titular_system;
create sequence quote_requests_id_seq; -- of quote_requests.id
grant usage on sequence quote_requests_id_seq to titular_app;
grant usage on sequence quote_requests_id_seq to titular_system;
create sequence quotes_id_seq; -- of quotes.id
grant usage on sequence quotes_id_seq to titular_app;
grant usage on sequence quotes_id_seq to titular_system;
create sequence refunds_id_seq; -- of refunds.id
grant usage on sequence refunds_id_seq to titular_app;
grant usage on sequence refunds_id_seq to titular_system;
create sequence release_files_id_seq; -- of release_files.id
grant usage on sequence release_files_id_seq to titular_app;
grant usage on sequence release_files_id_seq to titular_system;
create sequence releases_id_seq; -- of releases.id
grant usage on sequence releases_id_seq to titular_app;
grant usage on sequence releases_id_seq to titular_system;
create sequence service_audit_id_seq; -- of service_audit.id
grant usage on sequence service_audit_id_seq to titular_app;
grant usage on sequence service_audit_id_seq to titular_system;
create sequence service_history_id_seq; -- of service_history.id
grant usage on sequence service_history_id_seq to titular_app;
grant usage on sequence service_history_id_seq to titular_system;
create sequence services_id_seq; -- of services.id
grant usage on sequence services_id_seq to titular_app;
grant usage on sequence services_id_seq to titular_system;
create sequence sessions_id_seq; -- of sessions.id
grant usage on sequence sessions_id_seq to titular_app;
grant usage on sequence sessions_id_seq to titular_system;
create sequence site_reports_id_seq; -- of site_reports.id
grant usage on sequence site_reports_id_seq to titular_app;
grant usage on sequence site_reports_id_seq to titular_system;
create sequence sites_id_seq; -- of sites.id
grant usage on sequence sites_id_seq to titular_app;
grant usage on sequence sites_id_seq to titular_system;
create sequence sso_connections_id_seq; -- of sso_connections.id
grant usage on sequence sso_connections_id_seq to titular_app;
grant usage on sequence sso_connections_id_seq to titular_system;
create sequence sso_identities_id_seq; -- of sso_identities.id
grant usage on sequence sso_identities_id_seq to titular_app;
grant usage on sequence sso_identities_id_seq to titular_system;
create sequence staff_entries_id_seq; -- of staff_entries.id
grant usage on sequence staff_entries_id_seq to titular_app;
grant usage on sequence staff_entries_id_seq to titular_system;
create sequence tax_invoice_documents_id_seq; -- of tax_invoice_documents.id
grant usage on sequence tax_invoice_documents_id_seq to titular_app;
grant usage on sequence tax_invoice_documents_id_seq to titular_system;
create sequence tax_invoices_id_seq; -- of tax_invoices.id
grant usage on sequence tax_invoices_id_seq to titular_app;
grant usage on sequence tax_invoices_id_seq to titular_system;
create sequence teams_id_seq; -- of teams.id
grant usage on sequence teams_id_seq to titular_app;
grant usage on sequence teams_id_seq to titular_system;
create sequence ticket_attachments_id_seq; -- of ticket_attachments.id
grant usage on sequence ticket_attachments_id_seq to titular_app;
grant usage on sequence ticket_attachments_id_seq to titular_system;
create sequence ticket_comments_id_seq; -- of ticket_comments.id
grant usage on sequence ticket_comments_id_seq to titular_app;
grant usage on sequence ticket_comments_id_seq to titular_system;
create sequence ticket_history_id_seq; -- of ticket_history.id
grant usage on sequence ticket_history_id_seq to titular_app;
grant usage on sequence ticket_history_id_seq to titular_system;
create sequence ticket_issue_comments_id_seq; -- of ticket_issue_comments.id
grant usage on sequence ticket_issue_comments_id_seq to titular_app;
grant usage on sequence ticket_issue_comments_id_seq to titular_system;
create sequence ticket_issues_id_seq; -- of ticket_issues.id
grant usage on sequence ticket_issues_id_seq to titular_app;
grant usage on sequence ticket_issues_id_seq to titular_system;
create sequence ticket_ratings_id_seq; -- of ticket_ratings.id
grant usage on sequence ticket_ratings_id_seq to titular_app;
grant usage on sequence ticket_ratings_id_seq to titular_system;
create sequence tickets_id_seq; -- of tickets.id
grant usage on sequence tickets_id_seq to titular_app;
grant usage on sequence tickets_id_seq to titular_system;
create sequence user_tokens_id_seq; -- of user_tokens.id
grant usage on sequence user_tokens_id_seq to titular_app;
grant usage on sequence user_tokens_id_seq to titular_system;
create sequence users_id_seq; -- of users.id
grant usage on sequence users_id_seq to titular_app;
grant usage on sequence users_id_seq to titular_system;
create sequence vendor_keys_id_seq; -- of vendor_keys.id
grant usage on sequence vendor_keys_id_seq to titular_app;
grant usage on sequence vendor_keys_id_seq to titular_system;
create sequence webhook_deliveries_id_seq; -- of webhook_deliveries.id
grant usage on sequence webhook_deliveries_id_seq to titular_app;
grant usage on sequence webhook_deliveries_id_seq to titular_system;
create sequence webhook_endpoints_id_seq; -- of webhook_endpoints.id
grant usage on sequence webhook_endpoints_id_seq to titular_app;
grant usage on sequence webhook_endpoints_id_seq to titular_system;

-- Tables

create table address_undos (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  email text not null,
  nonce text not null,
  digest bytea not null,
  requested_at timestamp with time zone not null,
  changed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint address_undos_pkey PRIMARY KEY (id),
  constraint address_undos_digest_key UNIQUE (digest),
  constraint address_undos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX address_undos_email ON public.address_undos USING btree (lower(email));
CREATE INDEX address_undos_user ON public.address_undos USING btree (user_id, id);
CREATE UNIQUE INDEX address_undos_waiting ON public.address_undos USING btree (user_id) WHERE (changed_at IS NULL);
grant delete, insert, select, update on address_undos to titular_system;

create table affiliate_entries (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  affiliate_id bigint not null,
  kind text not null,
  commission_id bigint,
  payout_id bigint,
  currency text not null,
  amount numeric not null,
  balance numeric not null,
  date date not null,
  created_at timestamp with time zone default now() not null,
  constraint affiliate_entries_pkey PRIMARY KEY (organization_id, id),
  constraint affiliate_entries_check CHECK (
CASE kind
    WHEN 'earned'::text THEN (amount > (0)::numeric)
    ELSE (amount < (0)::numeric)
END),
  constraint affiliate_entries_check1 CHECK ((((kind = 'paid_out'::text) = (payout_id IS NOT NULL)) AND ((kind = 'paid_out'::text) = (commission_id IS NULL)))),
  constraint affiliate_entries_check2 CHECK (((scale(amount) = currency_digits(currency)) AND (scale(balance) = currency_digits(currency)))),
  constraint affiliate_entries_covered CHECK (((kind <> 'paid_out'::text) OR (balance >= (0)::numeric))),
  constraint affiliate_entries_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint affiliate_entries_kind_check CHECK ((kind = ANY (ARRAY['earned'::text, 'reversed'::text, 'paid_out'::text]))),
  constraint affiliate_entries_organization_id_affiliate_id_fkey FOREIGN KEY (organization_id, affiliate_id) REFERENCES affiliates(organization_id, id),
  constraint affiliate_entries_organization_id_commission_id_fkey FOREIGN KEY (organization_id, commission_id) REFERENCES commissions(organization_id, id),
  constraint affiliate_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint affiliate_entries_organization_id_payout_id_fkey FOREIGN KEY (organization_id, payout_id) REFERENCES affiliate_payouts(organization_id, id)
);
CREATE INDEX affiliate_entries_account ON public.affiliate_entries USING btree (organization_id, affiliate_id, id);
CREATE INDEX affiliate_entries_commission ON public.affiliate_entries USING btree (organization_id, commission_id) WHERE (commission_id IS NOT NULL);
CREATE INDEX affiliate_entries_date ON public.affiliate_entries USING btree (organization_id, affiliate_id, date, id);
CREATE UNIQUE INDEX affiliate_entries_earned ON public.affiliate_entries USING btree (organization_id, commission_id) WHERE (kind = 'earned'::text);
CREATE UNIQUE INDEX affiliate_entries_payout ON public.affiliate_entries USING btree (organization_id, payout_id) WHERE (payout_id IS NOT NULL);
alter table affiliate_entries enable row level security;
alter table affiliate_entries force row level security;
create policy owner_all on affiliate_entries for all to titular_owner using (true) with check (true);
create policy system_all on affiliate_entries for all to titular_system using (true) with check (true);
create policy tenant on affiliate_entries for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on affiliate_entries to titular_app;
grant insert, select on affiliate_entries to titular_system;

create table affiliate_payouts (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  affiliate_id bigint not null,
  status text default 'requested'::text not null,
  amount numeric not null,
  currency text not null,
  reference text,
  rejection_reason text,
  requested_by bigint,
  paid_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint affiliate_payouts_pkey PRIMARY KEY (organization_id, id),
  constraint affiliate_payouts_amount_check CHECK ((amount > (0)::numeric)),
  constraint affiliate_payouts_check CHECK ((scale(amount) = currency_digits(currency))),
  constraint affiliate_payouts_check1 CHECK ((((status = 'paid'::text) = (reference IS NOT NULL)) AND ((status = 'paid'::text) = (paid_at IS NOT NULL)))),
  constraint affiliate_payouts_check2 CHECK (((status = 'rejected'::text) = (rejection_reason IS NOT NULL))),
  constraint affiliate_payouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint affiliate_payouts_organization_id_affiliate_id_fkey FOREIGN KEY (organization_id, affiliate_id) REFERENCES affiliates(organization_id, id),
  constraint affiliate_payouts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint affiliate_payouts_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint affiliate_payouts_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'paid'::text, 'rejected'::text, 'cancelled'::text])))
);
CREATE INDEX affiliate_payouts_account ON public.affiliate_payouts USING btree (organization_id, affiliate_id, id);
CREATE INDEX affiliate_payouts_everywhere ON public.affiliate_payouts USING btree (id);
CREATE INDEX affiliate_payouts_everywhere_amount ON public.affiliate_payouts USING btree (amount, id);
CREATE INDEX affiliate_payouts_everywhere_created ON public.affiliate_payouts USING btree (created_at, id);
CREATE INDEX affiliate_payouts_everywhere_updated ON public.affiliate_payouts USING btree (updated_at, id);
CREATE INDEX affiliate_payouts_status ON public.affiliate_payouts USING btree (status, id);
alter table affiliate_payouts enable row level security;
alter table affiliate_payouts force row level security;
create policy owner_all on affiliate_payouts for all to titular_owner using (true) with check (true);
create policy system_all on affiliate_payouts for all to titular_system using (true) with check (true);
create policy tenant on affiliate_payouts for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on affiliate_payouts to titular_app;
grant insert, select, update on affiliate_payouts to titular_system;

create table affiliates (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  code text not null,
  status text default 'active'::text not null,
  entitlement_id bigint not null,
  commission_rate numeric(5,2) default 0 not null,
  currency text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  company text not null,
  earned numeric not null,
  reversed numeric not null,
  paid_out numeric not null,
  reserved numeric not null,
  suspended_with_entitlement boolean default false not null,
  balance numeric generated always as (((earned - reversed) - paid_out)) stored not null,
  available numeric generated always as (
CASE
    WHEN ((((earned - reversed) - paid_out) - reserved) > (0)::numeric) THEN (((earned - reversed) - paid_out) - reserved)
    ELSE (earned - earned)
END) stored not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint affiliates_pkey PRIMARY KEY (organization_id, id),
  constraint affiliates_commission_rate_check CHECK (((commission_rate >= (0)::numeric) AND (commission_rate <= (100)::numeric))),
  constraint affiliates_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint affiliates_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint affiliates_organization_id_code_key UNIQUE (organization_id, code),
  constraint affiliates_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint affiliates_organization_id_entitlement_id_key UNIQUE (organization_id, entitlement_id),
  constraint affiliates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint affiliates_paid_out CHECK (((paid_out >= (0)::numeric) AND (reserved >= (0)::numeric) AND ((paid_out + reserved) <= earned))),
  constraint affiliates_reversed CHECK (((reversed >= (0)::numeric) AND (reversed <= earned))),
  constraint affiliates_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text]))),
  constraint affiliates_sums_scale CHECK (((scale(earned) = currency_digits(currency)) AND (scale(reversed) = currency_digits(currency)) AND (scale(paid_out) = currency_digits(currency)) AND (scale(reserved) = currency_digits(currency))))
);
CREATE INDEX affiliates_everywhere ON public.affiliates USING btree (id);
CREATE INDEX affiliates_everywhere_company ON public.affiliates USING btree (company, id);
CREATE INDEX affiliates_everywhere_created ON public.affiliates USING btree (created_at, id);
CREATE INDEX affiliates_everywhere_status ON public.affiliates USING btree (status, id);
CREATE INDEX affiliates_everywhere_updated ON public.affiliates USING btree (updated_at, id);
CREATE UNIQUE INDEX affiliates_external_id ON public.affiliates USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX affiliates_status ON public.affiliates USING btree (organization_id, status, id);
alter table affiliates enable row level security;
alter table affiliates force row level security;
create policy owner_all on affiliates for all to titular_owner using (true) with check (true);
create policy system_all on affiliates for all to titular_system using (true) with check (true);
create policy tenant on affiliates for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on affiliates to titular_app;
grant insert, select, update on affiliates to titular_system;

create table api_keys (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  user_id bigint not null,
  name text not null,
  consumer_key text not null,
  secret_digest bytea not null,
  permission text not null,
  scopes text[] not null,
  last_four text not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  allowed_ips text[],
  last_used_at timestamp with time zone,
  secret_version integer default 1 not null,
  previous_digest bytea,
  previous_secret_ends_at timestamp with time zone,
  expiry_warned_for timestamp with time zone,
  expiry_warned_days integer,
  constraint api_keys_pkey PRIMARY KEY (organization_id, id),
  constraint api_keys_allowed_ips_check CHECK ((cardinality(allowed_ips) > 0)),
  constraint api_keys_check CHECK (((previous_digest IS NULL) = (previous_secret_ends_at IS NULL))),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint api_keys_permission_check CHECK ((permission = ANY (ARRAY['read'::text, 'write'::text, 'read_write'::text]))),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX api_keys_consumer_key ON public.api_keys USING btree (consumer_key);
CREATE INDEX api_keys_expiring ON public.api_keys USING btree (expires_at, organization_id, id) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL));
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy owner_all on api_keys for all to titular_owner using (true) with check (true);
create policy system_all on api_keys for all to titular_system using (true) with check (true);
create policy tenant on api_keys for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on api_keys to titular_app;
grant insert, select, update on api_keys to titular_system;

create table audit_beginning (
  id smallint default 1 not null,
  made_at timestamp with time zone not null,
  jws text not null,
  removed_before timestamp with time zone,
  constraint audit_beginning_pkey PRIMARY KEY (id),
  constraint audit_beginning_id_check CHECK ((id = 1))
);
grant select (removed_before) on audit_beginning to titular_app;
grant select (removed_before) on audit_beginning to titular_system;

create table audit_exports (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  format text not null,
  after_id bigint default 0 not null,
  status text default 'queued'::text not null,
  requested_by bigint,
  rows bigint,
  last_id bigint,
  size bigint,
  sha256 text,
  storage_key text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint audit_exports_pkey PRIMARY KEY (organization_id, id),
  constraint audit_exports_check CHECK (((storage_key IS NOT NULL) = (status = 'completed'::text))),
  constraint audit_exports_check1 CHECK (((ended_at IS NULL) = (status = 'queued'::text))),
  constraint audit_exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
  constraint audit_exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint audit_exports_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint audit_exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'completed'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX audit_exports_expiry ON public.audit_exports USING btree (expires_at) WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX audit_exports_queued ON public.audit_exports USING btree (organization_id) WHERE (status = 'queued'::text);
alter table audit_exports enable row level security;
alter table audit_exports force row level security;
create policy owner_all on audit_exports for all to titular_owner using (true) with check (true);
create policy system_all on audit_exports for all to titular_system using (true) with check (true);
create policy tenant on audit_exports for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on audit_exports to titular_app;
grant insert, select, update on audit_exports to titular_system;

create table audit_log (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id bigint,
  actor text not null,
  action text not null,
  resource text not null,
  resource_id bigint not null,
  before jsonb,
  after jsonb,
  request_id text not null,
  ip text,
  reason text,
  constraint audit_log_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_log_action ON public.audit_log USING btree (organization_id, action, id);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (organization_id, actor_id, id);
CREATE INDEX audit_log_at ON public.audit_log USING btree (organization_id, at, id);
CREATE INDEX audit_log_everywhere ON public.audit_log USING btree (at, id);
CREATE INDEX audit_log_ids ON public.audit_log USING btree (id);
CREATE INDEX audit_log_kind ON public.audit_log USING btree (organization_id, resource, id);
CREATE INDEX audit_log_record ON public.audit_log USING btree (organization_id, resource_id, id);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy contract_drafts_are_for_staff on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (NOT (((resource = 'contract'::text) AND ((action = 'updated'::text) OR ((action = 'created'::text) AND (COALESCE((after ->> 'status'::text), 'draft'::text) = 'draft'::text)) OR ((COALESCE((before ->> 'status'::text), ''::text) = 'draft'::text) AND (action <> 'activated'::text)))) OR ((resource = 'contract_history'::text) AND ((COALESCE((after ->> 'to_status'::text), 'draft'::text) = 'draft'::text) OR ((COALESCE((after ->> 'from_status'::text), ''::text) = 'draft'::text) AND ((after ->> 'to_status'::text) <> 'active'::text))))))));
create policy crm_is_for_staff on audit_log as restrictive for select to titular_app using (((resource <> 'crm_proposal'::text) OR (current_setting('app.staff'::text, true) = 'on'::text)));
create policy documents_have_readers on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR
CASE resource
    WHEN 'document'::text THEN ( SELECT true
       FROM documents d
      WHERE ((d.organization_id = audit_log.organization_id) AND (d.id = audit_log.resource_id)))
    WHEN 'document_version'::text THEN ( SELECT true
       FROM documents d
      WHERE ((d.organization_id = audit_log.organization_id) AND (d.id = ((COALESCE(audit_log.after, audit_log.before) ->> 'document_id'::text))::bigint)))
    WHEN 'document_share'::text THEN ( SELECT true
       FROM document_shares s
      WHERE ((s.organization_id = audit_log.organization_id) AND (s.id = audit_log.resource_id)))
    ELSE true
END));
create policy drafts_are_for_staff on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (NOT (((resource = 'quote'::text) AND ((action = ANY (ARRAY['created'::text, 'updated'::text])) OR ((COALESCE((before ->> 'status'::text), ''::text) = 'draft'::text) AND (action <> 'sent'::text)))) OR (COALESCE((before ->> 'internal'::text), (after ->> 'internal'::text), 'false'::text) = 'true'::text)))));
create policy invoice_drafts_are_for_staff on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (NOT ((resource = 'invoice'::text) AND ((action = 'redrafted'::text) OR ((action = 'created'::text) AND (COALESCE((after ->> 'status'::text), ''::text) = 'draft'::text)) OR ((action = 'voided'::text) AND (COALESCE((before ->> 'status'::text), ''::text) = 'draft'::text)))))));
create policy owner_all on audit_log for all to titular_owner using (true) with check (true);
create policy ratings_are_of_the_requester on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (resource <> 'ticket_rating'::text) OR ((COALESCE(after, before) ->> 'requester_id'::text) = current_setting('app.user_id'::text, true))));
create policy system_all on audit_log for all to titular_system using (true) with check (true);
create policy teams_are_for_staff on audit_log as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (resource <> 'ticket'::text) OR (action <> 'team_changed'::text)));
create policy tenant on audit_log for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on audit_log as restrictive for select to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR
CASE
    WHEN (resource = 'ticket'::text) THEN (((after ->> 'created_by'::text) = current_setting('app.user_id'::text, true)) OR ( SELECT true
       FROM tickets t
      WHERE ((t.organization_id = audit_log.organization_id) AND (t.id = audit_log.resource_id))))
    WHEN (resource ~~ 'ticket\_%'::text) THEN ( SELECT true
       FROM tickets t
      WHERE ((t.organization_id = audit_log.organization_id) AND (t.id = ((COALESCE(audit_log.after, audit_log.before) ->> 'ticket_id'::text))::bigint)))
    ELSE true
END));
grant insert, select on audit_log to titular_app;
grant insert, select on audit_log to titular_system;

create table audit_redactions (
  organization_id bigint not null,
  entry_id bigint not null,
  erasure_id bigint not null,
  hash bytea not null,
  constraint audit_redactions_pkey PRIMARY KEY (organization_id, entry_id),
  constraint audit_redactions_hash_check CHECK ((length(hash) = 32))
);
alter table audit_redactions enable row level security;
alter table audit_redactions force row level security;
create policy owner_all on audit_redactions for all to titular_owner using (true) with check (true);
create policy system_all on audit_redactions for all to titular_system using (true) with check (true);
create policy tenant on audit_redactions for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on audit_redactions to titular_system;
grant select on audit_redactions to titular_app;

create table audit_sealing (
  log text not null,
  sealed_id bigint default 0 not null,
  marked_id bigint default 0 not null,
  marked_before xid8 default '0'::xid8 not null,
  marked_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint audit_sealing_pkey PRIMARY KEY (log),
  constraint audit_sealing_check CHECK ((marked_id >= sealed_id)),
  constraint audit_sealing_log_check CHECK ((log = ANY (ARRAY['audit_log'::text, 'service_audit'::text])))
);
grant select, update on audit_sealing to titular_system;

create table audit_seals (
  organization_id bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  constraint audit_seals_pkey PRIMARY KEY (organization_id, entry_id),
  constraint audit_seals_hash_check CHECK ((length(hash) = 32))
);
alter table audit_seals enable row level security;
alter table audit_seals force row level security;
create policy owner_all on audit_seals for all to titular_owner using (true) with check (true);
create policy system_all on audit_seals for all to titular_system using (true) with check (true);
create policy tenant on audit_seals for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on audit_seals to titular_system;
grant select on audit_seals to titular_app;

create table business_hours (
  company text not null,
  business_hours jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint business_hours_pkey PRIMARY KEY (company),
  constraint business_hours_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text])))
);
grant select on business_hours to titular_app;
grant select, update on business_hours to titular_system;

create table canned_replies (
  id bigint generated by default as identity not null,
  name text not null,
  company text,
  body_pt_br text not null,
  body_en text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint canned_replies_pkey PRIMARY KEY (id),
  constraint canned_replies_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text])))
);
CREATE INDEX canned_replies_company ON public.canned_replies USING btree (company, id);
CREATE UNIQUE INDEX canned_replies_name ON public.canned_replies USING btree (lower(name), company) NULLS NOT DISTINCT;
grant delete, insert, select, update on canned_replies to titular_system;
grant select on canned_replies to titular_app;

create table claims (
  kind text not null,
  value text not null,
  organization_id bigint not null,
  constraint claims_pkey PRIMARY KEY (kind, value),
  constraint claims_kind_check CHECK ((kind = ANY (ARRAY['cnpj'::text, 'payment_customer_id_br'::text, 'payment_customer_id_global'::text, 'crm_company_id_br'::text, 'crm_company_id_global'::text, 'license_key'::text, 'external_id'::text]))),
  constraint claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX claims_organization ON public.claims USING btree (organization_id);
alter table claims enable row level security;
alter table claims force row level security;
create policy owner_all on claims for all to titular_owner using (true) with check (true);
create policy system_all on claims for all to titular_system using (true) with check (true);
create policy tenant on claims for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select on claims to titular_app;
grant delete, insert, select on claims to titular_system;

create table code_attempts (
  user_id bigint not null,
  source text not null,
  attempts integer not null,
  since timestamp with time zone not null,
  constraint code_attempts_pkey PRIMARY KEY (user_id, source),
  constraint code_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX code_attempts_since ON public.code_attempts USING btree (since);
grant delete, insert, select, update on code_attempts to titular_system;

create table code_counters (
  prefix text not null,
  period text not null,
  last bigint default 0 not null,
  passed_over int8multirange default '{}'::int8multirange not null,
  constraint code_counters_pkey PRIMARY KEY (prefix, period)
) with (fillfactor=50);
grant insert, select, update on code_counters to titular_app;
grant insert, select, update on code_counters to titular_system;

create table collaborators (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  user_id bigint,
  parent_user_id bigint,
  email text not null,
  role text not null,
  invited_role text,
  can_manage_org boolean default false not null,
  can_manage_finances boolean default false not null,
  can_manage_orders boolean default false not null,
  can_manage_licenses boolean default false not null,
  can_manage_tickets boolean default false not null,
  can_manage_quotes boolean default false not null,
  can_manage_contracts boolean default false not null,
  can_manage_documents boolean default false not null,
  can_manage_downloads boolean default false not null,
  can_manage_entitlements boolean default false not null,
  started_at timestamp with time zone,
  expired_at timestamp with time zone,
  invite_status text,
  invite_digest bytea,
  invite_nonce text,
  invite_expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  weight integer generated always as (
CASE role
    WHEN 'owner'::text THEN 100
    WHEN 'admin'::text THEN 80
    WHEN 'member'::text THEN 50
    WHEN 'guest'::text THEN 20
    ELSE 0
END) stored,
  granted_scopes text[] generated always as (
CASE
    WHEN (role = 'owner'::text) THEN '{organization,finances,orders,licenses,tickets,quotes,contracts,documents,downloads,entitlements}'::text[]
    ELSE array_remove(ARRAY[
    CASE
        WHEN can_manage_org THEN 'organization'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_finances THEN 'finances'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_orders THEN 'orders'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_licenses THEN 'licenses'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_tickets THEN 'tickets'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_quotes THEN 'quotes'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_contracts THEN 'contracts'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_documents THEN 'documents'::text
        ELSE NULL::text
    END,
    CASE
        WHEN can_manage_downloads THEN 'downloads'::text
        ELSE NULL::text
    END,
    CASE
        WHEN (can_manage_entitlements OR can_manage_tickets OR can_manage_licenses) THEN 'entitlements'::text
        ELSE NULL::text
    END], NULL::text)
END) stored,
  ticket_visibility text default 'all'::text not null,
  named_role_id bigint,
  end_warned_for timestamp with time zone,
  end_announced_for timestamp with time zone,
  constraint collaborators_pkey PRIMARY KEY (organization_id, id),
  constraint collaborators_check CHECK (((role <> 'owner'::text) OR (ticket_visibility = 'all'::text))),
  constraint collaborators_invite_status_check CHECK ((invite_status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'expired'::text]))),
  constraint collaborators_invited_role_check CHECK ((invited_role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'guest'::text]))),
  constraint collaborators_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint collaborators_organization_id_named_role_id_fkey FOREIGN KEY (organization_id, named_role_id) REFERENCES organization_roles(organization_id, id),
  constraint collaborators_parent_user_id_fkey FOREIGN KEY (parent_user_id) REFERENCES users(id),
  constraint collaborators_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'guest'::text, 'pending'::text]))),
  constraint collaborators_ticket_visibility_check CHECK ((ticket_visibility = ANY (ARRAY['own'::text, 'watched'::text, 'all'::text]))),
  constraint collaborators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX collaborators_email ON public.collaborators USING btree (organization_id, lower(email));
CREATE INDEX collaborators_ending ON public.collaborators USING btree (expired_at) WHERE ((expired_at IS NOT NULL) AND (role <> 'pending'::text));
CREATE INDEX collaborators_expiring ON public.collaborators USING btree (invite_expires_at, organization_id, id) WHERE (invite_status = 'pending'::text);
CREATE UNIQUE INDEX collaborators_invite ON public.collaborators USING btree (organization_id, invite_digest) WHERE (invite_digest IS NOT NULL);
CREATE INDEX collaborators_invite_digest ON public.collaborators USING btree (invite_digest) WHERE (invite_digest IS NOT NULL);
CREATE INDEX collaborators_invited ON public.collaborators USING btree (lower(email)) WHERE (invite_status = 'pending'::text);
CREATE INDEX collaborators_named_role ON public.collaborators USING btree (organization_id, named_role_id) WHERE (named_role_id IS NOT NULL);
CREATE INDEX collaborators_of_user ON public.collaborators USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX collaborators_owner ON public.collaborators USING btree (organization_id) WHERE (role = 'owner'::text);
CREATE UNIQUE INDEX collaborators_user ON public.collaborators USING btree (organization_id, user_id) WHERE (user_id IS NOT NULL);
alter table collaborators enable row level security;
alter table collaborators force row level security;
create policy owner_all on collaborators for all to titular_owner using (true) with check (true);
create policy system_all on collaborators for all to titular_system using (true) with check (true);
create policy tenant on collaborators for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on collaborators to titular_app;
grant delete, insert, select, update on collaborators to titular_system;

create table commerce_orders (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  order_id bigint not null,
  company text not null,
  platform text not null,
  reference text not null,
  is_imported boolean not null,
  platform_status text,
  agreed_status text,
  problem text,
  platform_modified_at timestamp with time zone,
  synced_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint commerce_orders_pkey PRIMARY KEY (organization_id, id),
  constraint commerce_orders_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint commerce_orders_company_platform_reference_key UNIQUE (company, platform, reference),
  constraint commerce_orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint commerce_orders_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint commerce_orders_organization_id_order_id_key UNIQUE (organization_id, order_id)
);
CREATE INDEX commerce_orders_company ON public.commerce_orders USING btree (company, id);
CREATE INDEX commerce_orders_everywhere ON public.commerce_orders USING btree (id);
CREATE INDEX commerce_orders_everywhere_created ON public.commerce_orders USING btree (created_at, id);
CREATE INDEX commerce_orders_everywhere_synced ON public.commerce_orders USING btree (synced_at, id);
CREATE INDEX commerce_orders_problems ON public.commerce_orders USING btree (id) WHERE (problem IS NOT NULL);
alter table commerce_orders enable row level security;
alter table commerce_orders force row level security;
create policy owner_all on commerce_orders for all to titular_owner using (true) with check (true);
create policy system_all on commerce_orders for all to titular_system using (true) with check (true);
create policy tenant on commerce_orders for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on commerce_orders to titular_app;
grant insert, select, update on commerce_orders to titular_system;

create table commissions (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  affiliate_id bigint not null,
  payment_id bigint not null,
  status text default 'pending'::text not null,
  rate numeric(5,2) not null,
  currency text not null,
  amount numeric not null,
  paid_on date not null,
  earns_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint commissions_pkey PRIMARY KEY (organization_id, id),
  constraint commissions_amount_check CHECK ((amount >= (0)::numeric)),
  constraint commissions_check CHECK ((scale(amount) = currency_digits(currency))),
  constraint commissions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint commissions_organization_id_affiliate_id_fkey FOREIGN KEY (organization_id, affiliate_id) REFERENCES affiliates(organization_id, id),
  constraint commissions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint commissions_rate_check CHECK (((rate >= (0)::numeric) AND (rate <= (100)::numeric))),
  constraint commissions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'earned'::text, 'reversed'::text])))
);
CREATE INDEX commissions_affiliate ON public.commissions USING btree (organization_id, affiliate_id, id);
CREATE INDEX commissions_due ON public.commissions USING btree (earns_at, organization_id, id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX commissions_payment ON public.commissions USING btree (organization_id, affiliate_id, payment_id) WHERE (status <> 'reversed'::text);
alter table commissions enable row level security;
alter table commissions force row level security;
create policy owner_all on commissions for all to titular_owner using (true) with check (true);
create policy system_all on commissions for all to titular_system using (true) with check (true);
create policy tenant on commissions for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on commissions to titular_app;
grant insert, select, update on commissions to titular_system;

create table company_settings (
  company text not null,
  settings jsonb default '{}'::jsonb not null,
  logo bytea,
  logo_content_type text,
  logo_sha256 text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint company_settings_pkey PRIMARY KEY (company),
  constraint company_settings_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text, 'vendor'::text]))),
  constraint company_settings_logo CHECK (((num_nonnulls(logo, logo_content_type, logo_sha256) = ANY (ARRAY[0, 3])) AND ((logo IS NULL) OR (company <> 'vendor'::text)))),
  constraint company_settings_logo_check CHECK (((octet_length(logo) >= 1) AND (octet_length(logo) <= 204800))),
  constraint company_settings_logo_content_type_check CHECK ((logo_content_type = ANY (ARRAY['image/png'::text, 'image/svg+xml'::text]))),
  constraint company_settings_settings_check CHECK ((jsonb_typeof(settings) = 'object'::text))
);
grant select on company_settings to titular_app;
grant select, update on company_settings to titular_system;

create table company_settings_history (
  id bigint generated by default as identity not null,
  company text not null,
  setting text not null,
  from_value jsonb,
  to_value jsonb,
  note text,
  changed_at timestamp with time zone not null,
  changed_by bigint,
  changed_by_name text not null,
  constraint company_settings_history_pkey PRIMARY KEY (id),
  constraint company_settings_history_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint company_settings_history_company_fkey FOREIGN KEY (company) REFERENCES company_settings(company)
);
CREATE INDEX company_settings_history_company ON public.company_settings_history USING btree (company, id);
CREATE INDEX company_settings_history_latest ON public.company_settings_history USING btree (company, setting, id);
grant insert, select on company_settings_history to titular_system;
grant update (changed_by_name) on company_settings_history to titular_system;

create table consents (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  purpose text not null,
  version text not null,
  is_given boolean not null,
  at timestamp with time zone not null,
  source text not null,
  ip text,
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_purpose_check CHECK ((purpose = ANY (ARRAY['terms_of_use'::text, 'privacy_notice'::text, 'product_news'::text]))),
  constraint consents_source_check CHECK ((source = ANY (ARRAY['api'::text, 'portal'::text, 'registration'::text]))),
  constraint consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint consents_version_check CHECK (((char_length(version) >= 1) AND (char_length(version) <= 50)))
);
CREATE INDEX consents_user ON public.consents USING btree (user_id, id);
grant insert, select on consents to titular_system;
grant update (ip) on consents to titular_system;

create table contact_confirmations (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  email text not null,
  asked_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint contact_confirmations_pkey PRIMARY KEY (organization_id, id),
  constraint contact_confirmations_email_check CHECK ((email = lower(email))),
  constraint contact_confirmations_organization_id_email_key UNIQUE (organization_id, email),
  constraint contact_confirmations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table contact_confirmations enable row level security;
alter table contact_confirmations force row level security;
create policy owner_all on contact_confirmations for all to titular_owner using (true) with check (true);
create policy system_all on contact_confirmations for all to titular_system using (true) with check (true);
create policy tenant on contact_confirmations for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on contact_confirmations to titular_system;
grant insert, select, update on contact_confirmations to titular_app;

create table contract_history (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  contract_id bigint not null,
  from_status text,
  to_status text not null,
  note text,
  changed_by bigint,
  changed_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by_name text not null,
  constraint contract_history_pkey PRIMARY KEY (organization_id, id),
  constraint contract_history_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint contract_history_from_status_check CHECK ((from_status = ANY (ARRAY['draft'::text, 'active'::text, 'suspended'::text, 'expired'::text, 'cancelled'::text, 'renewed'::text]))),
  constraint contract_history_organization_id_contract_id_fkey FOREIGN KEY (organization_id, contract_id) REFERENCES contracts(organization_id, id),
  constraint contract_history_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint contract_history_to_status_check CHECK ((to_status = ANY (ARRAY['draft'::text, 'active'::text, 'suspended'::text, 'expired'::text, 'cancelled'::text, 'renewed'::text])))
);
CREATE INDEX contract_history_contract ON public.contract_history USING btree (organization_id, contract_id, id);
alter table contract_history enable row level security;
alter table contract_history force row level security;
create policy owner_all on contract_history for all to titular_owner using (true) with check (true);
create policy system_all on contract_history for all to titular_system using (true) with check (true);
create policy tenant on contract_history for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on contract_history to titular_app;
grant insert, select on contract_history to titular_system;
grant update (changed_by_name) on contract_history to titular_system;

create table contracts (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  title text not null,
  status text default 'draft'::text not null,
  start_date date not null,
  end_date date,
  entitlement_id bigint,
  entitlement_code text,
  terms text,
  notes text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  sla_first_response_minutes jsonb,
  sla_resolution_minutes jsonb,
  company text default 'entity_br'::text not null,
  notice_days integer,
  notice_date date generated always as ((end_date - notice_days)) stored,
  predecessor_id bigint,
  successor_id bigint,
  activated_at timestamp with time zone,
  warned_days integer,
  noticed_at timestamp with time zone,
  reinstated_at timestamp with time zone,
  business_hours jsonb,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint contracts_pkey PRIMARY KEY (organization_id, id),
  constraint contracts_check CHECK ((end_date >= start_date)),
  constraint contracts_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint contracts_notice_days_check CHECK (((notice_days >= 0) AND (notice_days <= 3650))),
  constraint contracts_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint contracts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint contracts_organization_id_predecessor_id_fkey FOREIGN KEY (organization_id, predecessor_id) REFERENCES contracts(organization_id, id),
  constraint contracts_organization_id_successor_id_fkey FOREIGN KEY (organization_id, successor_id) REFERENCES contracts(organization_id, id),
  constraint contracts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'suspended'::text, 'expired'::text, 'cancelled'::text, 'renewed'::text])))
);
CREATE INDEX contracts_created ON public.contracts USING btree (organization_id, created_at, id);
CREATE INDEX contracts_end ON public.contracts USING btree (organization_id, end_date, id);
CREATE INDEX contracts_ending ON public.contracts USING btree (end_date, organization_id, id) WHERE (status = ANY (ARRAY['active'::text, 'suspended'::text]));
CREATE INDEX contracts_entitlement ON public.contracts USING btree (organization_id, entitlement_id, id);
CREATE INDEX contracts_everywhere ON public.contracts USING btree (id);
CREATE INDEX contracts_everywhere_company ON public.contracts USING btree (company, id);
CREATE INDEX contracts_everywhere_created ON public.contracts USING btree (created_at, id);
CREATE INDEX contracts_everywhere_end ON public.contracts USING btree (end_date, id);
CREATE INDEX contracts_everywhere_status ON public.contracts USING btree (status, id);
CREATE INDEX contracts_everywhere_updated ON public.contracts USING btree (updated_at, id);
CREATE UNIQUE INDEX contracts_external_id ON public.contracts USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX contracts_predecessor ON public.contracts USING btree (organization_id, predecessor_id) WHERE (predecessor_id IS NOT NULL);
CREATE INDEX contracts_status ON public.contracts USING btree (organization_id, status, id) INCLUDE (activated_at);
CREATE INDEX contracts_updated ON public.contracts USING btree (organization_id, updated_at, id);
alter table contracts enable row level security;
alter table contracts force row level security;
create policy drafts_are_for_staff on contracts as restrictive for all to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR ((status <> 'draft'::text) AND ((status <> 'cancelled'::text) OR (activated_at IS NOT NULL)))));
create policy owner_all on contracts for all to titular_owner using (true) with check (true);
create policy system_all on contracts for all to titular_system using (true) with check (true);
create policy tenant on contracts for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on contracts to titular_app;
grant insert, select, update on contracts to titular_system;

create table credit_balance_entries (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  credit_balance_id bigint not null,
  kind text not null,
  amount numeric not null,
  balance numeric not null,
  currency text not null,
  date date not null,
  payment_id bigint,
  invoice_id bigint,
  refund_id bigint,
  reason text,
  recorded_by bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint credit_balance_entries_pkey PRIMARY KEY (organization_id, id),
  constraint credit_balance_entries_amount_check CHECK ((amount <> (0)::numeric)),
  constraint credit_balance_entries_balance_check CHECK ((balance >= (0)::numeric)),
  constraint credit_balance_entries_check CHECK (((amount > (0)::numeric) = (kind = ANY (ARRAY['overpaid'::text, 'returned'::text, 'added'::text, 'refund_ended'::text])))),
  constraint credit_balance_entries_check1 CHECK ((scale(amount) = currency_digits(currency))),
  constraint credit_balance_entries_check2 CHECK ((scale(balance) = currency_digits(currency))),
  constraint credit_balance_entries_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint credit_balance_entries_kind_check CHECK ((kind = ANY (ARRAY['overpaid'::text, 'applied'::text, 'returned'::text, 'added'::text, 'withdrawn'::text, 'refunded'::text, 'refund_ended'::text, 'moved'::text]))),
  constraint credit_balance_entries_organization_id_credit_balance_id_fkey FOREIGN KEY (organization_id, credit_balance_id) REFERENCES credit_balances(organization_id, id),
  constraint credit_balance_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint credit_balance_entries_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint credit_balance_entries_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  constraint credit_balance_entries_organization_id_refund_id_fkey FOREIGN KEY (organization_id, refund_id) REFERENCES refunds(organization_id, id),
  constraint credit_balance_entries_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id)
);
CREATE INDEX credit_balance_entries_dated ON public.credit_balance_entries USING btree (organization_id, date, id);
CREATE INDEX credit_balance_entries_listed ON public.credit_balance_entries USING btree (organization_id, credit_balance_id, id);
alter table credit_balance_entries enable row level security;
alter table credit_balance_entries force row level security;
create policy owner_all on credit_balance_entries for all to titular_owner using (true) with check (true);
create policy system_all on credit_balance_entries for all to titular_system using (true) with check (true);
create policy tenant on credit_balance_entries for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on credit_balance_entries to titular_app;
grant insert, select on credit_balance_entries to titular_system;

create table credit_balances (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  company text not null,
  currency text not null,
  amount numeric not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint credit_balances_pkey PRIMARY KEY (organization_id, id),
  constraint credit_balances_amount_check CHECK ((amount >= (0)::numeric)),
  constraint credit_balances_check CHECK ((scale(amount) = currency_digits(currency))),
  constraint credit_balances_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint credit_balances_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint credit_balances_organization_id_company_currency_key UNIQUE (organization_id, company, currency),
  constraint credit_balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX credit_balances_everywhere ON public.credit_balances USING btree (id);
CREATE INDEX credit_balances_everywhere_company ON public.credit_balances USING btree (company, id);
CREATE INDEX credit_balances_everywhere_created ON public.credit_balances USING btree (created_at, id);
CREATE INDEX credit_balances_everywhere_updated ON public.credit_balances USING btree (updated_at, id);
alter table credit_balances enable row level security;
alter table credit_balances force row level security;
create policy owner_all on credit_balances for all to titular_owner using (true) with check (true);
create policy system_all on credit_balances for all to titular_system using (true) with check (true);
create policy tenant on credit_balances for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on credit_balances to titular_app;
grant insert, select, update on credit_balances to titular_system;

create table credit_notes (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  company text not null,
  series text not null,
  number text not null,
  invoice_id bigint not null,
  refund_id bigint,
  reason text,
  currency text not null,
  total numeric not null,
  withheld jsonb default '[]'::jsonb not null,
  withheld_total numeric default 0 not null,
  line_items jsonb not null,
  issue_date date not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint credit_notes_pkey PRIMARY KEY (organization_id, id),
  constraint credit_notes_check CHECK (((withheld_total >= (0)::numeric) AND (withheld_total <= total))),
  constraint credit_notes_check1 CHECK ((scale(total) = currency_digits(currency))),
  constraint credit_notes_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint credit_notes_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint credit_notes_organization_id_company_number_key UNIQUE (organization_id, company, number),
  constraint credit_notes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint credit_notes_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint credit_notes_organization_id_refund_id_fkey FOREIGN KEY (organization_id, refund_id) REFERENCES refunds(organization_id, id),
  constraint credit_notes_total_check CHECK ((total > (0)::numeric))
);
CREATE INDEX credit_notes_created ON public.credit_notes USING btree (organization_id, created_at, id);
CREATE INDEX credit_notes_everywhere ON public.credit_notes USING btree (id);
CREATE INDEX credit_notes_everywhere_company ON public.credit_notes USING btree (company, id);
CREATE INDEX credit_notes_everywhere_created ON public.credit_notes USING btree (created_at, id);
CREATE INDEX credit_notes_everywhere_invoice ON public.credit_notes USING btree (invoice_id, id);
CREATE INDEX credit_notes_everywhere_issued ON public.credit_notes USING btree (issue_date, id);
CREATE INDEX credit_notes_everywhere_total ON public.credit_notes USING btree (total, id);
CREATE INDEX credit_notes_everywhere_updated ON public.credit_notes USING btree (updated_at, id);
CREATE UNIQUE INDEX credit_notes_external_id ON public.credit_notes USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX credit_notes_invoice ON public.credit_notes USING btree (organization_id, invoice_id, id);
CREATE INDEX credit_notes_issued ON public.credit_notes USING btree (organization_id, issue_date, id);
CREATE UNIQUE INDEX credit_notes_refund ON public.credit_notes USING btree (organization_id, refund_id) WHERE (refund_id IS NOT NULL);
CREATE INDEX credit_notes_total ON public.credit_notes USING btree (organization_id, total, id);
CREATE INDEX credit_notes_updated ON public.credit_notes USING btree (organization_id, updated_at, id);
alter table credit_notes enable row level security;
alter table credit_notes force row level security;
create policy owner_all on credit_notes for all to titular_owner using (true) with check (true);
create policy system_all on credit_notes for all to titular_system using (true) with check (true);
create policy tenant on credit_notes for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on credit_notes to titular_app;
grant insert, select on credit_notes to titular_system;
grant update (updated_at) on credit_notes to titular_app;
grant update (external_id) on credit_notes to titular_app;
grant update (metadata) on credit_notes to titular_app;

create table crm_companies (
  organization_id bigint not null,
  company text not null,
  provider text not null,
  crm_id text not null,
  agreed jsonb default '{}'::jsonb not null,
  removed_at timestamp with time zone,
  synced_at timestamp with time zone not null,
  constraint crm_companies_pkey PRIMARY KEY (organization_id, company),
  constraint crm_companies_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint crm_companies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX crm_companies_by_id ON public.crm_companies USING btree (company, crm_id);
alter table crm_companies enable row level security;
alter table crm_companies force row level security;
create policy owner_all on crm_companies for all to titular_owner using (true) with check (true);
create policy system_all on crm_companies for all to titular_system using (true) with check (true);
create policy tenant on crm_companies for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on crm_companies to titular_app;
grant insert, select, update on crm_companies to titular_system;

create table crm_deals (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  quote_id bigint not null,
  company text not null,
  provider text not null,
  crm_id text not null,
  sent jsonb not null,
  stage text not null,
  crm_stage text not null,
  removed_at timestamp with time zone,
  synced_at timestamp with time zone not null,
  constraint crm_deals_pkey PRIMARY KEY (organization_id, id),
  constraint crm_deals_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint crm_deals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint crm_deals_organization_id_quote_id_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes(organization_id, id),
  constraint crm_deals_organization_id_quote_id_key UNIQUE (organization_id, quote_id)
);
CREATE INDEX crm_deals_by_id ON public.crm_deals USING btree (company, crm_id);
CREATE INDEX crm_deals_company ON public.crm_deals USING btree (company, id);
CREATE INDEX crm_deals_differing ON public.crm_deals USING btree (id) WHERE (stage <> crm_stage);
CREATE INDEX crm_deals_everywhere ON public.crm_deals USING btree (id);
CREATE INDEX crm_deals_everywhere_synced ON public.crm_deals USING btree (synced_at, id);
alter table crm_deals enable row level security;
alter table crm_deals force row level security;
create policy owner_all on crm_deals for all to titular_owner using (true) with check (true);
create policy system_all on crm_deals for all to titular_system using (true) with check (true);
create policy tenant on crm_deals for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on crm_deals to titular_app;
grant insert, select, update on crm_deals to titular_system;

create table crm_proposals (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  company text not null,
  field text not null,
  current_value text,
  proposed_value text not null,
  status text default 'open'::text not null,
  decided_by bigint,
  decided_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint crm_proposals_pkey PRIMARY KEY (organization_id, id),
  constraint crm_proposals_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint crm_proposals_check1 CHECK (((status = ANY (ARRAY['accepted'::text, 'rejected'::text])) OR (decided_by IS NULL))),
  constraint crm_proposals_check2 CHECK ((current_value IS DISTINCT FROM proposed_value)),
  constraint crm_proposals_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint crm_proposals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint crm_proposals_field_check CHECK ((field = ANY (ARRAY['name'::text, 'cnpj'::text, 'phone'::text, 'website'::text, 'city'::text, 'state'::text, 'country'::text]))),
  constraint crm_proposals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint crm_proposals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'rejected'::text, 'withdrawn'::text])))
);
CREATE INDEX crm_proposals_company ON public.crm_proposals USING btree (company, id);
CREATE INDEX crm_proposals_everywhere ON public.crm_proposals USING btree (id);
CREATE INDEX crm_proposals_everywhere_created ON public.crm_proposals USING btree (created_at, id);
CREATE INDEX crm_proposals_everywhere_updated ON public.crm_proposals USING btree (updated_at, id);
CREATE UNIQUE INDEX crm_proposals_open ON public.crm_proposals USING btree (organization_id, company, field) WHERE (status = 'open'::text);
CREATE INDEX crm_proposals_status ON public.crm_proposals USING btree (status, id);
alter table crm_proposals enable row level security;
alter table crm_proposals force row level security;
create policy owner_all on crm_proposals for all to titular_owner using (true) with check (true);
create policy system_all on crm_proposals for all to titular_system using (true) with check (true);
create policy tenant on crm_proposals for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on crm_proposals to titular_app;
grant insert, select, update on crm_proposals to titular_system;

create table device_sign_ins (
  digest bytea not null,
  user_code_digest bytea not null,
  device text,
  ip text,
  interval_seconds integer not null,
  polled_at timestamp with time zone,
  session_id bigint,
  second_factor text,
  authenticated_at timestamp with time zone,
  rejected_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint device_sign_ins_pkey PRIMARY KEY (digest),
  constraint device_sign_ins_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint device_sign_ins_user_code_digest_key UNIQUE (user_code_digest)
);
CREATE INDEX device_sign_ins_expires ON public.device_sign_ins USING btree (expires_at);
CREATE INDEX device_sign_ins_session ON public.device_sign_ins USING btree (session_id) WHERE (session_id IS NOT NULL);
grant delete, insert, select, update on device_sign_ins to titular_system;

create table disputes (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  invoice_id bigint not null,
  payment_id bigint,
  status text default 'open'::text not null,
  amount numeric not null,
  currency text not null,
  reason text not null,
  answer_by timestamp with time zone,
  is_withdrawn boolean not null,
  company text not null,
  provider text not null,
  reference text not null,
  settled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint disputes_pkey PRIMARY KEY (organization_id, id),
  constraint disputes_amount_check CHECK ((amount > (0)::numeric)),
  constraint disputes_check CHECK ((scale(amount) = currency_digits(currency))),
  constraint disputes_check1 CHECK (((status = 'open'::text) OR (settled_at IS NOT NULL))),
  constraint disputes_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint disputes_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint disputes_organization_id_company_provider_reference_key UNIQUE (organization_id, company, provider, reference),
  constraint disputes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint disputes_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint disputes_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  constraint disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX disputes_amount ON public.disputes USING btree (organization_id, amount, id);
CREATE INDEX disputes_created ON public.disputes USING btree (organization_id, created_at, id);
CREATE INDEX disputes_everywhere ON public.disputes USING btree (id);
CREATE INDEX disputes_everywhere_amount ON public.disputes USING btree (amount, id);
CREATE INDEX disputes_everywhere_company ON public.disputes USING btree (company, id);
CREATE INDEX disputes_everywhere_created ON public.disputes USING btree (created_at, id);
CREATE INDEX disputes_everywhere_invoice ON public.disputes USING btree (invoice_id, id);
CREATE INDEX disputes_everywhere_status ON public.disputes USING btree (status, id);
CREATE INDEX disputes_everywhere_updated ON public.disputes USING btree (updated_at, id);
CREATE INDEX disputes_invoice ON public.disputes USING btree (organization_id, invoice_id, id);
CREATE INDEX disputes_status ON public.disputes USING btree (organization_id, status, id);
CREATE INDEX disputes_updated ON public.disputes USING btree (organization_id, updated_at, id);
alter table disputes enable row level security;
alter table disputes force row level security;
create policy owner_all on disputes for all to titular_owner using (true) with check (true);
create policy system_all on disputes for all to titular_system using (true) with check (true);
create policy tenant on disputes for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on disputes to titular_app;
grant insert, select, update on disputes to titular_system;

create table document_accesses (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  document_id bigint not null,
  version integer not null,
  at timestamp with time zone not null,
  reader_kind text not null,
  user_id bigint,
  reader text,
  share_id bigint,
  ip text,
  constraint document_accesses_pkey PRIMARY KEY (organization_id, id),
  constraint document_accesses_check CHECK (((share_id IS NOT NULL) = (reader_kind = 'share'::text))),
  constraint document_accesses_check1 CHECK (((user_id IS NULL) = (reader_kind = 'share'::text))),
  constraint document_accesses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint document_accesses_organization_id_share_id_fkey FOREIGN KEY (organization_id, share_id) REFERENCES document_shares(organization_id, id),
  constraint document_accesses_reader_kind_check CHECK ((reader_kind = ANY (ARRAY['user'::text, 'api_key'::text, 'share'::text]))),
  constraint document_accesses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX document_accesses_document ON public.document_accesses USING btree (organization_id, document_id, id);
CREATE INDEX document_accesses_share ON public.document_accesses USING btree (organization_id, share_id, id) WHERE (share_id IS NOT NULL);
alter table document_accesses enable row level security;
alter table document_accesses force row level security;
create policy documents_have_readers on document_accesses as restrictive for all to titular_app using ((( SELECT true
   FROM documents d
  WHERE ((d.organization_id = document_accesses.organization_id) AND (d.id = document_accesses.document_id))) OR ( SELECT true
   FROM filed_documents f
  WHERE ((f.organization_id = document_accesses.organization_id) AND (f.id = document_accesses.document_id)))));
create policy owner_all on document_accesses for all to titular_owner using (true) with check (true);
create policy system_all on document_accesses for all to titular_system using (true) with check (true);
create policy tenant on document_accesses for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on document_accesses to titular_app;
grant insert, select on document_accesses to titular_system;
grant update (reader) on document_accesses to titular_system;
grant update (ip) on document_accesses to titular_system;

create table document_shares (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  document_id bigint not null,
  token_digest bytea not null,
  note text,
  created_by bigint,
  created_by_name text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint document_shares_pkey PRIMARY KEY (organization_id, id),
  constraint document_shares_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint document_shares_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX document_shares_document ON public.document_shares USING btree (organization_id, document_id, id);
CREATE UNIQUE INDEX document_shares_token_digest ON public.document_shares USING btree (token_digest);
alter table document_shares enable row level security;
alter table document_shares force row level security;
create policy documents_have_readers on document_shares as restrictive for all to titular_app using ((( SELECT true
   FROM documents d
  WHERE ((d.organization_id = document_shares.organization_id) AND (d.id = document_shares.document_id))) OR ( SELECT true
   FROM filed_documents f
  WHERE ((f.organization_id = document_shares.organization_id) AND (f.id = document_shares.document_id)))));
create policy owner_all on document_shares for all to titular_owner using (true) with check (true);
create policy system_all on document_shares for all to titular_system using (true) with check (true);
create policy tenant on document_shares for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on document_shares to titular_app;
grant insert, select, update on document_shares to titular_system;

create table document_versions (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  document_id bigint not null,
  version integer not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  uploaded_by bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint document_versions_pkey PRIMARY KEY (organization_id, id),
  constraint document_versions_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  constraint document_versions_organization_id_document_id_version_key UNIQUE (organization_id, document_id, version),
  constraint document_versions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint document_versions_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint document_versions_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint document_versions_size_check CHECK ((size > 0)),
  constraint document_versions_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id),
  constraint document_versions_version_check CHECK ((version > 0))
);
alter table document_versions enable row level security;
alter table document_versions force row level security;
create policy documents_have_readers on document_versions as restrictive for all to titular_app using (( SELECT true
   FROM documents d
  WHERE ((d.organization_id = document_versions.organization_id) AND (d.id = document_versions.document_id))));
create policy owner_all on document_versions for all to titular_owner using (true) with check (true);
create policy system_all on document_versions for all to titular_system using (true) with check (true);
create policy tenant on document_versions for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on document_versions to titular_app;
grant delete, insert, select, update on document_versions to titular_system;

create table documents (
  id bigint default nextval('filed_documents_id_seq'::regclass) not null,
  organization_id bigint not null,
  name text not null,
  category text not null,
  visibility text default 'organization'::text not null,
  reader_ids bigint[] default '{}'::bigint[] not null,
  entitlement_id bigint,
  contract_id bigint,
  version integer default 1 not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  uploaded_by bigint,
  by_staff boolean default false not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint documents_pkey PRIMARY KEY (organization_id, id),
  constraint documents_category_check CHECK ((category = ANY (ARRAY['contract'::text, 'invoice'::text, 'tax'::text, 'technical'::text, 'other'::text]))),
  constraint documents_check CHECK (((visibility = 'readers'::text) OR (reader_ids = '{}'::bigint[]))),
  constraint documents_check1 CHECK ((by_staff OR (visibility <> 'staff'::text))),
  constraint documents_organization_id_contract_id_fkey FOREIGN KEY (organization_id, contract_id) REFERENCES contracts(organization_id, id),
  constraint documents_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint documents_reader_ids_check CHECK ((cardinality(reader_ids) <= 100)),
  constraint documents_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint documents_size_check CHECK ((size > 0)),
  constraint documents_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id),
  constraint documents_version_check CHECK ((version > 0)),
  constraint documents_visibility_check CHECK ((visibility = ANY (ARRAY['organization'::text, 'readers'::text, 'staff'::text])))
);
CREATE INDEX documents_contract ON public.documents USING btree (organization_id, contract_id, id) WHERE (contract_id IS NOT NULL);
CREATE INDEX documents_created ON public.documents USING btree (organization_id, created_at, id);
CREATE INDEX documents_entitlement ON public.documents USING btree (organization_id, entitlement_id, id) WHERE (entitlement_id IS NOT NULL);
CREATE INDEX documents_everywhere ON public.documents USING btree (id);
CREATE INDEX documents_everywhere_category ON public.documents USING btree (category, id);
CREATE INDEX documents_everywhere_contract ON public.documents USING btree (contract_id, id) WHERE (contract_id IS NOT NULL);
CREATE INDEX documents_everywhere_created ON public.documents USING btree (created_at, id);
CREATE INDEX documents_everywhere_entitlement ON public.documents USING btree (entitlement_id, id) WHERE (entitlement_id IS NOT NULL);
CREATE INDEX documents_everywhere_updated ON public.documents USING btree (updated_at, id);
CREATE UNIQUE INDEX documents_external_id ON public.documents USING btree (external_id, organization_id) WHERE ((external_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX documents_updated ON public.documents USING btree (organization_id, updated_at, id);
alter table documents enable row level security;
alter table documents force row level security;
create policy documents_have_readers on documents as restrictive for all to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (visibility = 'organization'::text) OR ((visibility = 'readers'::text) AND ((current_setting('app.role'::text, true) = 'owner'::text) OR ((NULLIF(current_setting('app.user_id'::text, true), ''::text))::bigint = ANY ((uploaded_by || reader_ids)))))));
create policy owner_all on documents for all to titular_owner using (true) with check (true);
create policy system_all on documents for all to titular_system using (true) with check (true);
create policy tenant on documents for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on documents to titular_app;
grant insert, select, update on documents to titular_system;

create table download_counts (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  file_id bigint not null,
  downloads integer not null,
  last_downloaded_at timestamp with time zone not null,
  constraint download_counts_pkey PRIMARY KEY (organization_id, id),
  constraint download_counts_downloads_check CHECK ((downloads > 0)),
  constraint download_counts_file_id_fkey FOREIGN KEY (file_id) REFERENCES release_files(id),
  constraint download_counts_organization_id_file_id_key UNIQUE (organization_id, file_id),
  constraint download_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX download_counts_file ON public.download_counts USING btree (file_id, organization_id);
alter table download_counts enable row level security;
alter table download_counts force row level security;
create policy owner_all on download_counts for all to titular_owner using (true) with check (true);
create policy system_all on download_counts for all to titular_system using (true) with check (true);
create policy tenant on download_counts for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on download_counts to titular_app;
grant insert, select, update on download_counts to titular_system;

create table dunning_cases (
  organization_id bigint not null,
  invoice_id bigint not null,
  company text not null,
  next_at timestamp with time zone,
  constraint dunning_cases_pkey PRIMARY KEY (organization_id, invoice_id),
  constraint dunning_cases_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint dunning_cases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_cases_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id)
);
CREATE INDEX dunning_cases_next ON public.dunning_cases USING btree (next_at) WHERE (next_at IS NOT NULL);
alter table dunning_cases enable row level security;
alter table dunning_cases force row level security;
create policy owner_all on dunning_cases for all to titular_owner using (true) with check (true);
create policy system_all on dunning_cases for all to titular_system using (true) with check (true);
create policy tenant on dunning_cases for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on dunning_cases to titular_app;
grant delete, insert, select, update on dunning_cases to titular_system;

create table dunning_schedules (
  company text not null,
  schedule jsonb not null,
  starts_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint dunning_schedules_pkey PRIMARY KEY (company),
  constraint dunning_schedules_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text])))
);
grant select on dunning_schedules to titular_app;
grant select, update on dunning_schedules to titular_system;

create table entitlements (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  code text not null,
  class text not null,
  product_name text not null,
  product_description text,
  status text default 'active'::text not null,
  company text not null,
  expires_at timestamp with time zone,
  quote_id bigint,
  quote_line integer,
  order_id bigint,
  auto_created boolean default false not null,
  metadata text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  expiry_warned_for timestamp with time zone,
  expiry_warned_days integer,
  product_id bigint,
  updates_until timestamp with time zone,
  release_channels text[] default '{stable}'::text[] not null,
  quantity bigint default 1 not null,
  features jsonb default '[]'::jsonb not null,
  status_reason_code text,
  status_reason text,
  status_since timestamp with time zone default now() not null,
  scheduled jsonb,
  renews boolean default false not null,
  suspends_at timestamp with time zone,
  suspends_reason text,
  renewals jsonb default '[]'::jsonb not null,
  renewal_drafted_for timestamp with time zone,
  external_id text,
  constraint entitlements_pkey PRIMARY KEY (organization_id, id),
  constraint entitlements_class_check CHECK ((class = ANY (ARRAY['PLG'::text, 'ENV'::text, 'SVC'::text, 'ORD'::text, 'AFL'::text, 'EDU'::text]))),
  constraint entitlements_code_check CHECK ((code ~ '^(PLG|ENV|SVC|ORD|AFL|EDU)-[0-9]{6}[0-9]{4,}$'::text)),
  constraint entitlements_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint entitlements_organization_id_code_key UNIQUE (organization_id, code),
  constraint entitlements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint entitlements_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint entitlements_organization_id_quote_id_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes(organization_id, id),
  constraint entitlements_organization_id_quote_id_quote_line_key UNIQUE (organization_id, quote_id, quote_line),
  constraint entitlements_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint entitlements_quantity_check CHECK ((quantity >= 1)),
  constraint entitlements_release_channels_check CHECK (((release_channels <@ ARRAY['stable'::text, 'beta'::text]) AND (cardinality(release_channels) > 0))),
  constraint entitlements_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'expired'::text, 'cancelled'::text]))),
  constraint entitlements_status_reason_code_check CHECK ((status_reason_code = ANY (ARRAY['by_staff'::text, 'expired'::text, 'renewed'::text, 'refunded'::text, 'order_cancelled'::text, 'subscription_ended'::text, 'payment_overdue'::text, 'payment_settled'::text])))
);
CREATE INDEX entitlements_awaiting ON public.entitlements USING btree (organization_id, id) WHERE (renews OR (suspends_at IS NOT NULL));
CREATE INDEX entitlements_class ON public.entitlements USING btree (organization_id, class, id);
CREATE INDEX entitlements_created ON public.entitlements USING btree (organization_id, created_at, id);
CREATE INDEX entitlements_everywhere ON public.entitlements USING btree (id);
CREATE INDEX entitlements_everywhere_class ON public.entitlements USING btree (class, id);
CREATE INDEX entitlements_everywhere_company ON public.entitlements USING btree (company, id);
CREATE INDEX entitlements_everywhere_created ON public.entitlements USING btree (created_at, id);
CREATE INDEX entitlements_everywhere_expiry ON public.entitlements USING btree (expires_at, id);
CREATE INDEX entitlements_everywhere_status ON public.entitlements USING btree (status, id);
CREATE INDEX entitlements_everywhere_updated ON public.entitlements USING btree (updated_at, id);
CREATE INDEX entitlements_expiring ON public.entitlements USING btree (expires_at, organization_id, id) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews));
CREATE INDEX entitlements_expiry ON public.entitlements USING btree (organization_id, expires_at, id);
CREATE UNIQUE INDEX entitlements_external_id ON public.entitlements USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX entitlements_featured ON public.entitlements USING btree (organization_id, id) WHERE (features <> '[]'::jsonb);
CREATE INDEX entitlements_order ON public.entitlements USING btree (organization_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX entitlements_order_line ON public.entitlements USING btree (organization_id, order_id, quote_line) WHERE ((quote_id IS NULL) AND (quote_line IS NOT NULL));
CREATE INDEX entitlements_product ON public.entitlements USING btree (organization_id, product_id, id) WHERE (product_id IS NOT NULL);
CREATE INDEX entitlements_product_name ON public.entitlements USING btree (organization_id, product_name, id) WHERE (product_id IS NULL);
CREATE INDEX entitlements_quote ON public.entitlements USING btree (organization_id, quote_id, id) WHERE (quote_id IS NOT NULL);
CREATE INDEX entitlements_renewed ON public.entitlements USING btree (organization_id, id) WHERE (renewals <> '[]'::jsonb);
CREATE INDEX entitlements_scheduled ON public.entitlements USING btree (((scheduled ->> 'at'::text))) WHERE (scheduled IS NOT NULL);
CREATE INDEX entitlements_status ON public.entitlements USING btree (organization_id, status, id);
CREATE INDEX entitlements_suspends ON public.entitlements USING btree (suspends_at) WHERE ((status = 'active'::text) AND (suspends_at IS NOT NULL));
CREATE INDEX entitlements_undrafted ON public.entitlements USING btree (expires_at) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews) AND (order_id IS NOT NULL) AND (renewal_drafted_for IS DISTINCT FROM expires_at));
CREATE INDEX entitlements_unwarned ON public.entitlements USING btree (expires_at) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews) AND (expiry_warned_for IS DISTINCT FROM expires_at));
CREATE INDEX entitlements_updated ON public.entitlements USING btree (organization_id, updated_at, id);
CREATE INDEX entitlements_warned ON public.entitlements USING btree (expiry_warned_days, expires_at) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews) AND (expiry_warned_days IS NOT NULL));
alter table entitlements enable row level security;
alter table entitlements force row level security;
create policy owner_all on entitlements for all to titular_owner using (true) with check (true);
create policy system_all on entitlements for all to titular_system using (true) with check (true);
create policy tenant on entitlements for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on entitlements to titular_app;
grant insert, select, update on entitlements to titular_system;

create table environment_history (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  environment_id bigint not null,
  from_status text,
  to_status text not null,
  changed_at timestamp with time zone not null,
  changed_by_name text not null,
  note text,
  changed_by bigint,
  constraint environment_history_pkey PRIMARY KEY (organization_id, id),
  constraint environment_history_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint environment_history_organization_id_environment_id_fkey FOREIGN KEY (organization_id, environment_id) REFERENCES environments(organization_id, id),
  constraint environment_history_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX environment_history_environment ON public.environment_history USING btree (organization_id, environment_id, id);
alter table environment_history enable row level security;
alter table environment_history force row level security;
create policy owner_all on environment_history for all to titular_owner using (true) with check (true);
create policy system_all on environment_history for all to titular_system using (true) with check (true);
create policy tenant on environment_history for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on environment_history to titular_app;
grant insert, select on environment_history to titular_system;
grant update (changed_by_name) on environment_history to titular_system;

create table environments (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  name text not null,
  status text default 'provisioning'::text not null,
  platform text not null,
  environment_type text not null,
  url text,
  entitlement_id bigint not null,
  entitlement_code text not null,
  metadata text,
  suspended_with_entitlement boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  production_id bigint,
  provisioning_state text default 'none'::text not null,
  provisioning_error text,
  provisioning_attempt integer default 0 not null,
  provisioning_refused boolean default false not null,
  provisioning_act text default 'provision'::text not null,
  provisioning_report_due_at timestamp with time zone,
  provisioning_change_due boolean default false not null,
  maintenance_window_id bigint,
  external_id text,
  constraint environments_pkey PRIMARY KEY (organization_id, id),
  constraint environments_environment_type_check CHECK ((environment_type = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text, 'sandbox'::text]))),
  constraint environments_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint environments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint environments_organization_id_maintenance_window_id_fkey FOREIGN KEY (organization_id, maintenance_window_id) REFERENCES maintenance_windows(organization_id, id),
  constraint environments_organization_id_production_id_fkey FOREIGN KEY (organization_id, production_id) REFERENCES environments(organization_id, id),
  constraint environments_platform_check CHECK ((platform = ANY (ARRAY['moodle'::text, 'wordpress'::text, 'custom'::text]))),
  constraint environments_production_stands_alone CHECK (((environment_type <> 'production'::text) OR (production_id IS NULL))),
  constraint environments_provisioning_act_check CHECK ((provisioning_act = ANY (ARRAY['provision'::text, 'suspend'::text, 'resume'::text, 'decommission'::text, 'change'::text]))),
  constraint environments_provisioning_state_check CHECK ((provisioning_state = ANY (ARRAY['none'::text, 'queued'::text, 'requested'::text, 'failed'::text, 'done'::text]))),
  constraint environments_status_check CHECK ((status = ANY (ARRAY['provisioning'::text, 'active'::text, 'maintenance'::text, 'suspended'::text, 'decommissioned'::text])))
);
CREATE INDEX environments_created ON public.environments USING btree (organization_id, created_at, id);
CREATE INDEX environments_entitlement ON public.environments USING btree (organization_id, entitlement_id, id);
CREATE INDEX environments_everywhere ON public.environments USING btree (id);
CREATE INDEX environments_everywhere_created ON public.environments USING btree (created_at, id);
CREATE INDEX environments_everywhere_entitlement ON public.environments USING btree (entitlement_id, id);
CREATE INDEX environments_everywhere_platform ON public.environments USING btree (platform, id);
CREATE INDEX environments_everywhere_status ON public.environments USING btree (status, id);
CREATE INDEX environments_everywhere_type ON public.environments USING btree (environment_type, id);
CREATE INDEX environments_everywhere_updated ON public.environments USING btree (updated_at, id);
CREATE UNIQUE INDEX environments_external_id ON public.environments USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX environments_platform ON public.environments USING btree (organization_id, platform, id);
CREATE INDEX environments_production ON public.environments USING btree (organization_id, production_id, id) WHERE (production_id IS NOT NULL);
CREATE INDEX environments_status ON public.environments USING btree (organization_id, status, id);
CREATE INDEX environments_type ON public.environments USING btree (organization_id, environment_type, id);
CREATE INDEX environments_unconfirmed ON public.environments USING btree (id) WHERE (provisioning_state = 'failed'::text);
CREATE INDEX environments_updated ON public.environments USING btree (organization_id, updated_at, id);
alter table environments enable row level security;
alter table environments force row level security;
create policy owner_all on environments for all to titular_owner using (true) with check (true);
create policy system_all on environments for all to titular_system using (true) with check (true);
create policy tenant on environments for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on environments to titular_app;
grant insert, select, update on environments to titular_system;

create table erasures (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  status text default 'scheduled'::text not null,
  requested_by bigint not null,
  requested_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  problem text,
  ended_at timestamp with time zone,
  addresses text[],
  kept_until timestamp with time zone,
  constraint erasures_pkey PRIMARY KEY (id),
  constraint erasures_check CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['done'::text, 'cancelled'::text])))),
  constraint erasures_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint erasures_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'done'::text, 'cancelled'::text]))),
  constraint erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX erasures_due ON public.erasures USING btree (due_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'running'::text]));
CREATE INDEX erasures_kept ON public.erasures USING btree (kept_until) WHERE (kept_until IS NOT NULL);
CREATE UNIQUE INDEX erasures_open ON public.erasures USING btree (user_id) WHERE (status = ANY (ARRAY['scheduled'::text, 'running'::text]));
CREATE INDEX erasures_status ON public.erasures USING btree (status, id);
CREATE INDEX erasures_user ON public.erasures USING btree (user_id, id);
grant insert, select, update on erasures to titular_system;

create table event_positions (
  is_only boolean default true not null,
  last_position bigint default 0 not null,
  removed_position bigint default 0 not null,
  constraint event_positions_pkey PRIMARY KEY (is_only),
  constraint event_positions_check CHECK ((removed_position <= last_position)),
  constraint event_positions_is_only_check CHECK (is_only)
);
grant select, update on event_positions to titular_system;

create table event_sequences (
  organization_id bigint not null,
  last_sequence bigint default 0 not null,
  test_clock timestamp with time zone,
  constraint event_sequences_pkey PRIMARY KEY (organization_id),
  constraint event_sequences_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) DEFERRABLE INITIALLY DEFERRED
) with (autovacuum_vacuum_scale_factor=0.02, fillfactor=50);
alter table event_sequences enable row level security;
alter table event_sequences force row level security;
create policy owner_all on event_sequences for all to titular_owner using (true) with check (true);
create policy system_all on event_sequences for all to titular_system using (true) with check (true);
create policy tenant on event_sequences for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on event_sequences to titular_app;
grant insert, select, update on event_sequences to titular_system;

create table events (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  sequence bigint not null,
  type text not null,
  resource text not null,
  resource_id bigint not null,
  data jsonb not null,
  at timestamp with time zone not null,
  "position" bigint,
  constraint events_pkey PRIMARY KEY (organization_id, id),
  constraint events_organization_id_sequence_key UNIQUE (organization_id, sequence),
  constraint events_position_check CHECK (("position" > 0))
);
CREATE INDEX events_at ON public.events USING btree (at);
CREATE INDEX events_position ON public.events USING btree ("position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_without_position ON public.events USING btree (id) WHERE ("position" IS NULL);
alter table events enable row level security;
alter table events force row level security;
create policy documents_have_readers on events as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR
CASE
    WHEN (resource = 'document'::text) THEN (((data ->> 'visibility'::text) = 'organization'::text) OR (((data ->> 'visibility'::text) = 'readers'::text) AND ((current_setting('app.role'::text, true) = 'owner'::text) OR ((data ->> 'uploaded_by'::text) = current_setting('app.user_id'::text, true)) OR ((data -> 'reader_ids'::text) @> (NULLIF(current_setting('app.user_id'::text, true), ''::text))::jsonb))))
    WHEN (resource = ANY (ARRAY['document_version'::text, 'document_share'::text])) THEN (( SELECT true
       FROM documents d
      WHERE ((d.organization_id = events.organization_id) AND (d.id = ((events.data ->> 'document_id'::text))::bigint))) OR ( SELECT true
       FROM filed_documents f
      WHERE ((f.organization_id = events.organization_id) AND (f.id = ((events.data ->> 'document_id'::text))::bigint))))
    ELSE true
END));
create policy internal_is_for_staff on events as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (COALESCE((data ->> 'internal'::text), 'false'::text) <> 'true'::text)));
create policy owner_all on events for all to titular_owner using (true) with check (true);
create policy ratings_are_of_the_requester on events as restrictive for select to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (resource <> 'ticket_rating'::text) OR ((data ->> 'requester_id'::text) = current_setting('app.user_id'::text, true))));
create policy system_all on events for all to titular_system using (true) with check (true);
create policy tenant on events for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on events as restrictive for select to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR
CASE
    WHEN (resource = 'ticket'::text) THEN (((data ->> 'created_by'::text) = current_setting('app.user_id'::text, true)) OR ( SELECT true
       FROM tickets t
      WHERE ((t.organization_id = events.organization_id) AND (t.id = events.resource_id))))
    WHEN (resource ~~ 'ticket\_%'::text) THEN ( SELECT true
       FROM tickets t
      WHERE ((t.organization_id = events.organization_id) AND (t.id = ((events.data ->> 'ticket_id'::text))::bigint)))
    ELSE true
END));
grant delete, insert, select on events to titular_system;
grant insert, select on events to titular_app;
grant update ("position") on events to titular_system;

create table exports (
  id bigint generated by default as identity not null,
  source text not null,
  filters jsonb not null,
  format text not null,
  language text not null,
  permissions text[] not null,
  digest text not null,
  status text default 'queued'::text not null,
  problem text,
  rows bigint,
  size bigint,
  sha256 text,
  storage_key text,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_check CHECK (((storage_key IS NOT NULL) = (status = 'completed'::text))),
  constraint exports_check1 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text, 'expired'::text])))),
  constraint exports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'csv-br'::text, 'ndjson'::text]))),
  constraint exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'expired'::text]))),
  constraint exports_storage_key_key UNIQUE (storage_key)
);
CREATE INDEX exports_created_by ON public.exports USING btree (created_by, id);
CREATE INDEX exports_expires_at ON public.exports USING btree (expires_at) WHERE (storage_key IS NOT NULL);
CREATE UNIQUE INDEX exports_waiting ON public.exports USING btree (created_by, digest) WHERE (status = 'queued'::text);
grant insert, select, update on exports to titular_system;

create table filed_documents (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  resource text not null,
  resource_id bigint not null,
  version text not null,
  language text not null,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint filed_documents_pkey PRIMARY KEY (organization_id, id),
  constraint filed_documents_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint filed_documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint filed_documents_organization_id_resource_resource_id_versio_key UNIQUE (organization_id, resource, resource_id, version, language),
  constraint filed_documents_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint filed_documents_resource_check CHECK ((resource = ANY (ARRAY['quote'::text, 'contract'::text, 'invoice'::text, 'credit_note'::text, 'tax_invoice'::text]))),
  constraint filed_documents_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint filed_documents_size_check CHECK ((size > 0)),
  constraint filed_documents_version_check CHECK ((version ~ '^[a-z_]{1,40}(-[0-9]{1,20})?$'::text))
);
CREATE INDEX filed_documents_created ON public.filed_documents USING btree (organization_id, created_at, id);
CREATE INDEX filed_documents_updated ON public.filed_documents USING btree (organization_id, updated_at, id);
alter table filed_documents enable row level security;
alter table filed_documents force row level security;
create policy owner_all on filed_documents for all to titular_owner using (true) with check (true);
create policy records_have_scopes on filed_documents as restrictive for all to titular_app using ((string_to_array(current_setting('app.scopes'::text, true), ','::text) && ARRAY['*'::text,
CASE resource
    WHEN 'quote'::text THEN 'quotes'::text
    WHEN 'contract'::text THEN 'contracts'::text
    ELSE 'finances'::text
END]));
create policy system_all on filed_documents for all to titular_system using (true) with check (true);
create policy tenant on filed_documents for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on filed_documents to titular_app;
grant insert, select on filed_documents to titular_system;

create table idempotency_keys (
  digest bytea not null,
  organization_id bigint,
  body_digest bytea not null,
  status integer not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (digest)
);
CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy owner_all on idempotency_keys for all to titular_owner using (true) with check (true);
create policy system_all on idempotency_keys for all to titular_system using (true) with check (true);
create policy tenant on idempotency_keys for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on idempotency_keys to titular_app;
grant delete, insert, select, update on idempotency_keys to titular_system;

create table import_rows (
  id bigint generated by default as identity not null,
  import_id bigint not null,
  line bigint not null,
  external_id text,
  outcome text not null,
  errors jsonb,
  record_organization_id bigint,
  record_id bigint,
  keys text[],
  constraint import_rows_pkey PRIMARY KEY (import_id, line),
  constraint import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id),
  constraint import_rows_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'unchanged'::text, 'differs'::text, 'refused'::text])))
);
CREATE INDEX import_rows_external ON public.import_rows USING btree (import_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX import_rows_keys ON public.import_rows USING gin (keys) WITH (fastupdate=off) WHERE (keys IS NOT NULL);
CREATE INDEX import_rows_outcome ON public.import_rows USING btree (import_id, outcome, line);
grant delete, insert, select on import_rows to titular_system;
grant insert on import_rows to titular_app;

create table imported_records (
  source text not null,
  kind text not null,
  external_id text not null,
  organization_id bigint,
  record_id bigint not null,
  digest text not null,
  import_id bigint not null,
  imported_at timestamp with time zone not null,
  constraint imported_records_pkey PRIMARY KEY (source, kind, external_id),
  constraint imported_records_check CHECK (((organization_id IS NULL) = (kind = 'products'::text))),
  constraint imported_records_kind_check CHECK ((kind = ANY (ARRAY['organizations'::text, 'members'::text, 'products'::text, 'entitlements'::text, 'licenses'::text, 'contracts'::text, 'subscriptions'::text, 'invoices'::text, 'payments'::text, 'tickets'::text]))),
  constraint imported_records_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX imported_records_organization ON public.imported_records USING btree (organization_id);
alter table imported_records enable row level security;
alter table imported_records force row level security;
create policy owner_all on imported_records for all to titular_owner using (true) with check (true);
create policy system_all on imported_records for all to titular_system using (true) with check (true);
create policy tenant on imported_records for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on imported_records to titular_app;
grant insert, select on imported_records to titular_system;

create table imports (
  id bigint generated by default as identity not null,
  kind text not null,
  format text not null,
  source text not null,
  dry_run boolean not null,
  status text default 'queued'::text not null,
  problem text,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text,
  layout jsonb,
  mapping jsonb,
  "position" bigint not null,
  line bigint not null,
  rows bigint default 0 not null,
  created bigint default 0 not null,
  unchanged bigint default 0 not null,
  differs bigint default 0 not null,
  refused bigint default 0 not null,
  invites text,
  invited bigint default 0 not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_check CHECK ((rows = (((created + unchanged) + differs) + refused))),
  constraint imports_check1 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])))),
  constraint imports_check2 CHECK (((storage_key IS NULL) OR (ended_at IS NULL))),
  constraint imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint imports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
  constraint imports_invites_check CHECK ((invites = ANY (ARRAY['sending'::text, 'sent'::text]))),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['organizations'::text, 'members'::text, 'products'::text, 'entitlements'::text, 'licenses'::text, 'contracts'::text, 'subscriptions'::text, 'invoices'::text, 'payments'::text, 'tickets'::text]))),
  constraint imports_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 50))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
  constraint imports_storage_key_key UNIQUE (storage_key)
);
CREATE INDEX imports_created ON public.imports USING btree (created_at, id);
CREATE INDEX imports_kind ON public.imports USING btree (kind, id);
CREATE INDEX imports_source ON public.imports USING btree (source, id);
CREATE INDEX imports_status ON public.imports USING btree (status, id);
CREATE INDEX imports_updated ON public.imports USING btree (updated_at, id);
grant insert, select, update on imports to titular_system;

create table inbox_entries (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  user_id bigint not null,
  kind text not null,
  content jsonb not null,
  record text not null,
  record_id bigint,
  weight integer,
  scope text,
  staff_scope text not null,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint inbox_entries_pkey PRIMARY KEY (organization_id, id),
  constraint inbox_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint inbox_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX inbox_entries_created ON public.inbox_entries USING btree (created_at);
CREATE INDEX inbox_entries_kind ON public.inbox_entries USING btree (user_id, kind, id);
CREATE INDEX inbox_entries_organization ON public.inbox_entries USING btree (user_id, organization_id, id);
CREATE INDEX inbox_entries_read ON public.inbox_entries USING btree (user_id, id) WHERE (read_at IS NOT NULL);
CREATE INDEX inbox_entries_unread ON public.inbox_entries USING btree (user_id, id) WHERE (read_at IS NULL);
CREATE INDEX inbox_entries_user ON public.inbox_entries USING btree (user_id, id);
alter table inbox_entries enable row level security;
alter table inbox_entries force row level security;
create policy owner_all on inbox_entries for all to titular_owner using (true) with check (true);
create policy system_all on inbox_entries for all to titular_system using (true) with check (true);
create policy tenant on inbox_entries for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, select, update on inbox_entries to titular_system;
grant insert, select on inbox_entries to titular_app;

create table invoices (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  number text not null,
  status text default 'draft'::text not null,
  company text not null,
  series text,
  currency text not null,
  total numeric not null,
  line_items jsonb not null,
  issue_date date not null,
  due_date date not null,
  order_id bigint,
  user_id bigint,
  payment_invoice_id text,
  payment_method text,
  payment_status text default 'unpaid'::text not null,
  paid_at timestamp with time zone,
  payment_date date,
  link text,
  payment_codes jsonb,
  payment_codes_until timestamp with time zone,
  tax_link text,
  notes text,
  origin text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  purchase_order text,
  discount_total numeric default 0 not null,
  tax_total numeric default 0 not null,
  amount_paid numeric default 0 not null,
  refund_reserved numeric default 0 not null,
  amount_refunded numeric default 0 not null,
  amount_credited numeric default 0 not null,
  withheld jsonb default '[]'::jsonb not null,
  withheld_total numeric default 0 not null,
  withheld_credited numeric default 0 not null,
  net_total numeric generated always as ((total - withheld_total)) stored not null,
  billing jsonb,
  finalized_at timestamp with time zone,
  subtotal numeric generated always as (((total + discount_total) - tax_total)) stored not null,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  reminded_at timestamp with time zone,
  overdue_noted date,
  reminded_for date,
  reminded_days integer,
  ending_for date,
  ending_on date,
  late_charges_of bigint,
  voided_on date,
  amount_due numeric generated always as (
CASE
    WHEN (status = ANY (ARRAY['draft'::text, 'open'::text, 'uncollectible'::text])) THEN ((((total - withheld_total) - (amount_credited - withheld_credited)) - amount_paid) + amount_refunded)
    ELSE (total - total)
END) stored not null,
  dispute_status text,
  due_date_changed_at timestamp with time zone,
  reopened_at timestamp with time zone,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint invoices_pkey PRIMARY KEY (organization_id, id),
  constraint invoices_check CHECK ((scale(total) = currency_digits(currency))),
  constraint invoices_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint invoices_credited CHECK (((amount_credited >= (0)::numeric) AND (amount_credited <= total))),
  constraint invoices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint invoices_discount_total_check CHECK ((discount_total >= (0)::numeric)),
  constraint invoices_dispute_status_check CHECK ((dispute_status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  constraint invoices_due CHECK ((amount_due >= (0)::numeric)),
  constraint invoices_late_charges_of_fkey FOREIGN KEY (organization_id, late_charges_of) REFERENCES invoices(organization_id, id),
  constraint invoices_organization_id_company_number_key UNIQUE (organization_id, company, number),
  constraint invoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint invoices_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint invoices_paid CHECK (((amount_paid >= (0)::numeric) AND ((amount_paid - amount_refunded) <= (total - withheld_total)))),
  constraint invoices_payment_status_check CHECK ((payment_status = ANY (ARRAY['unpaid'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'refunded'::text]))),
  constraint invoices_period CHECK ((((period_start IS NULL) = (period_end IS NULL)) AND (period_end > period_start))),
  constraint invoices_purchase_order_check CHECK (((char_length(purchase_order) >= 1) AND (char_length(purchase_order) <= 255))),
  constraint invoices_refunded CHECK (((amount_refunded >= (0)::numeric) AND (amount_refunded <= refund_reserved))),
  constraint invoices_refunds CHECK (((refund_reserved >= (0)::numeric) AND (refund_reserved <= amount_paid))),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text]))),
  constraint invoices_subtotal_check CHECK ((subtotal >= (0)::numeric)),
  constraint invoices_tax_total_check CHECK ((tax_total >= (0)::numeric)),
  constraint invoices_total_check CHECK ((total >= (0)::numeric)),
  constraint invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint invoices_withheld CHECK ((((withheld_total >= (0)::numeric) AND (withheld_total <= total)) AND ((withheld_total = (0)::numeric) OR ((company = 'entity_br'::text) AND (currency = 'BRL'::text))))),
  constraint invoices_withheld_credited CHECK ((((withheld_credited >= (0)::numeric) AND (withheld_credited <= withheld_total)) AND (((amount_credited - withheld_credited) >= (0)::numeric) AND ((amount_credited - withheld_credited) <= (total - withheld_total)))))
);
CREATE INDEX invoices_created ON public.invoices USING btree (organization_id, created_at, id);
CREATE INDEX invoices_due ON public.invoices USING btree (organization_id, due_date, id);
CREATE INDEX invoices_everywhere ON public.invoices USING btree (id);
CREATE INDEX invoices_everywhere_company ON public.invoices USING btree (company, id);
CREATE INDEX invoices_everywhere_created ON public.invoices USING btree (created_at, id);
CREATE INDEX invoices_everywhere_due ON public.invoices USING btree (due_date, id);
CREATE INDEX invoices_everywhere_earning ON public.invoices USING gist (earning_days(line_items, paid_at, period_end)) WHERE ((status = 'paid'::text) AND (paid_at IS NOT NULL));
CREATE INDEX invoices_everywhere_issued ON public.invoices USING btree (issue_date, id);
CREATE INDEX invoices_everywhere_periods ON public.invoices USING gist (tstzrange(period_start, period_end)) WHERE ((period_start IS NOT NULL) AND (order_id IS NOT NULL) AND (status = ANY (ARRAY['open'::text, 'paid'::text])) AND (payment_status <> 'refunded'::text));
CREATE INDEX invoices_everywhere_status ON public.invoices USING btree (status, id);
CREATE INDEX invoices_everywhere_total ON public.invoices USING btree (total, id);
CREATE INDEX invoices_everywhere_updated ON public.invoices USING btree (updated_at, id);
CREATE INDEX invoices_everywhere_voided ON public.invoices USING btree (voided_on) WHERE (voided_on IS NOT NULL);
CREATE UNIQUE INDEX invoices_external_id ON public.invoices USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX invoices_issued ON public.invoices USING btree (organization_id, issue_date, id);
CREATE INDEX invoices_late_charges ON public.invoices USING btree (organization_id, late_charges_of) WHERE (late_charges_of IS NOT NULL);
CREATE INDEX invoices_number ON public.invoices USING btree (organization_id, number);
CREATE INDEX invoices_order ON public.invoices USING btree (organization_id, order_id, id);
CREATE INDEX invoices_orderless ON public.invoices USING btree (organization_id, id) WHERE (order_id IS NULL);
CREATE INDEX invoices_payment_codes ON public.invoices USING btree (payment_codes_until, organization_id, id) WHERE ((payment_codes_until IS NOT NULL) AND (status = ANY (ARRAY['open'::text, 'uncollectible'::text])));
CREATE INDEX invoices_periods ON public.invoices USING btree (organization_id, company, currency, period_start) WHERE ((period_start IS NOT NULL) AND (order_id IS NOT NULL) AND (status = ANY (ARRAY['open'::text, 'paid'::text])) AND (payment_status <> 'refunded'::text));
CREATE INDEX invoices_status ON public.invoices USING btree (organization_id, status, id) INCLUDE (finalized_at);
CREATE INDEX invoices_total ON public.invoices USING btree (organization_id, total, id);
CREATE INDEX invoices_updated ON public.invoices USING btree (organization_id, updated_at, id);
CREATE INDEX invoices_void_with_money ON public.invoices USING btree (id) WHERE ((status = 'void'::text) AND (amount_paid > refund_reserved));
CREATE INDEX invoices_voided ON public.invoices USING btree (organization_id, voided_on, id) WHERE (voided_on IS NOT NULL);
alter table invoices enable row level security;
alter table invoices force row level security;
create policy drafts_are_for_staff on invoices as restrictive for all to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR ((status <> 'draft'::text) AND ((status <> 'void'::text) OR (finalized_at IS NOT NULL)))));
create policy owner_all on invoices for all to titular_owner using (true) with check (true);
create policy system_all on invoices for all to titular_system using (true) with check (true);
create policy tenant on invoices for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on invoices to titular_app;
grant insert, select, update on invoices to titular_system;

create table issue_references (
  tracker text not null,
  tracker_id text not null,
  organization_id bigint not null,
  ticket_issue_id bigint not null,
  constraint issue_references_pkey PRIMARY KEY (tracker, tracker_id),
  constraint issue_references_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint issue_references_organization_id_ticket_issue_id_fkey FOREIGN KEY (organization_id, ticket_issue_id) REFERENCES ticket_issues(organization_id, id)
);
CREATE INDEX issue_references_issue ON public.issue_references USING btree (organization_id, ticket_issue_id);
alter table issue_references enable row level security;
alter table issue_references force row level security;
create policy owner_all on issue_references for all to titular_owner using (true) with check (true);
create policy system_all on issue_references for all to titular_system using (true) with check (true);
create policy tenant on issue_references for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select on issue_references to titular_app;
grant insert, select on issue_references to titular_system;

create table issue_syncs (
  organization_id bigint not null,
  ticket_issue_id bigint not null,
  tracker_id text,
  mark text not null,
  title text,
  description text,
  ticket_status text,
  problem text,
  comments_after bigint not null,
  comments_read_until timestamp with time zone not null,
  doubles_due_at timestamp with time zone,
  tries integer default 0 not null,
  last_synced_at timestamp with time zone,
  next_sync_at timestamp with time zone,
  constraint issue_syncs_pkey PRIMARY KEY (organization_id, ticket_issue_id),
  constraint issue_syncs_mark_check CHECK ((mark ~ '^titular-[0-9a-f]{20}$'::text)),
  constraint issue_syncs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint issue_syncs_organization_id_ticket_issue_id_fkey FOREIGN KEY (organization_id, ticket_issue_id) REFERENCES ticket_issues(organization_id, id) ON DELETE CASCADE,
  constraint issue_syncs_ticket_status_check CHECK ((ticket_status = ANY (ARRAY['open'::text, 'in_progress'::text, 'waiting'::text, 'resolved'::text, 'closed'::text, 'cancelled'::text]))),
  constraint issue_syncs_tries_check CHECK ((tries >= 0))
);
CREATE INDEX issue_syncs_due ON public.issue_syncs USING btree (next_sync_at, organization_id, ticket_issue_id) WHERE (next_sync_at IS NOT NULL);
alter table issue_syncs enable row level security;
alter table issue_syncs force row level security;
create policy owner_all on issue_syncs for all to titular_owner using (true) with check (true);
create policy system_all on issue_syncs for all to titular_system using (true) with check (true);
create policy tenant on issue_syncs for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on issue_syncs to titular_app;
grant insert, select, update on issue_syncs to titular_system;

create table job_turns (
  is_only boolean default true not null,
  urgent bigint default 0 not null,
  ordinary bigint default 0 not null,
  constraint job_turns_pkey PRIMARY KEY (is_only),
  constraint job_turns_is_only_check CHECK (is_only)
) with (fillfactor=10);
grant select, update on job_turns to titular_system;

create table jobs (
  id bigint generated by default as identity not null,
  organization_id bigint,
  kind text not null,
  key text,
  payload jsonb default '{}'::jsonb not null,
  every_seconds integer,
  run_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  lease uuid,
  leased_until timestamp with time zone,
  last_error text,
  dead_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  failing_since timestamp with time zone,
  waits_for timestamp with time zone,
  turn bigint,
  is_urgent boolean default false not null,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_every_seconds_check CHECK ((every_seconds > 0))
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=200, fillfactor=70);
CREATE INDEX jobs_dead ON public.jobs USING btree (dead_at, id) WHERE (dead_at IS NOT NULL);
CREATE INDEX jobs_failing ON public.jobs USING btree (failing_since, id) WHERE (failing_since IS NOT NULL);
CREATE INDEX jobs_key ON public.jobs USING btree (key, id) WHERE ((key IS NOT NULL) AND (dead_at IS NULL));
CREATE INDEX jobs_of_tenant ON public.jobs USING btree (COALESCE((organization_id)::text, kind), is_urgent, turn) WHERE (dead_at IS NULL);
CREATE UNIQUE INDEX jobs_periodic ON public.jobs USING btree (kind) WHERE (every_seconds IS NOT NULL);
CREATE INDEX jobs_provider_event ON public.jobs USING btree (((payload ->> 'provider_event_id'::text)), id) WHERE (payload ? 'provider_event_id'::text);
CREATE INDEX jobs_turn ON public.jobs USING btree (is_urgent, turn, id) WHERE ((turn IS NOT NULL) AND (dead_at IS NULL));
CREATE INDEX jobs_waiting ON public.jobs USING btree (organization_id, waits_for) WHERE (waits_for IS NOT NULL);
CREATE INDEX jobs_without_turn ON public.jobs USING btree (run_at, id) WHERE ((turn IS NULL) AND (dead_at IS NULL));
alter table jobs enable row level security;
alter table jobs force row level security;
create policy owner_all on jobs for all to titular_owner using (true) with check (true);
create policy system_all on jobs for all to titular_system using (true) with check (true);
create policy tenant on jobs for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on jobs to titular_app;
grant delete, insert, select, update on jobs to titular_system;

create table known_addresses (
  user_id bigint not null,
  digest bytea not null,
  expires_at timestamp with time zone not null,
  has_program boolean default false not null,
  constraint known_addresses_pkey PRIMARY KEY (user_id, digest),
  constraint known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX known_addresses_expires ON public.known_addresses USING btree (expires_at);
grant delete, insert, select, update on known_addresses to titular_system;

create table licenses (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  license_key text not null,
  product_name text not null,
  status text default 'active'::text not null,
  entitlement_id bigint not null,
  entitlement_code text not null,
  activations_limit integer not null,
  activated_domains text[] default '{}'::text[] not null,
  suspended_with_entitlement boolean default false not null,
  activations_count integer generated always as (COALESCE(array_length(activated_domains, 1), 0)) stored,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  staging_domains text[] default '{}'::text[] not null,
  replaced_key_digests text[] default '{}'::text[] not null,
  key_last_four text generated always as ("right"(license_key, 4)) stored,
  expiry_warned_for timestamp with time zone,
  expiry_warned_days integer,
  renews boolean default false not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint licenses_pkey PRIMARY KEY (organization_id, id),
  constraint licenses_activations_limit_check CHECK ((activations_limit >= 1)),
  constraint licenses_check CHECK ((COALESCE(array_length(activated_domains, 1), 0) <= activations_limit)),
  constraint licenses_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint licenses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint licenses_organization_id_license_key_key UNIQUE (organization_id, license_key),
  constraint licenses_staging_domains CHECK ((cardinality(staging_domains) <= 100)),
  constraint licenses_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'expired'::text, 'revoked'::text])))
);
CREATE INDEX licenses_created ON public.licenses USING btree (organization_id, created_at, id);
CREATE INDEX licenses_entitlement ON public.licenses USING btree (organization_id, entitlement_id, id);
CREATE INDEX licenses_everywhere ON public.licenses USING btree (id);
CREATE INDEX licenses_everywhere_created ON public.licenses USING btree (created_at, id);
CREATE INDEX licenses_everywhere_expiry ON public.licenses USING btree (expires_at, id);
CREATE INDEX licenses_everywhere_status ON public.licenses USING btree (status, id);
CREATE INDEX licenses_everywhere_updated ON public.licenses USING btree (updated_at, id);
CREATE INDEX licenses_expiring ON public.licenses USING btree (expires_at, organization_id, id) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews));
CREATE INDEX licenses_expiry ON public.licenses USING btree (organization_id, expires_at, id);
CREATE UNIQUE INDEX licenses_external_id ON public.licenses USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX licenses_key ON public.licenses USING btree (license_key);
CREATE INDEX licenses_key_beginning ON public.licenses USING btree (lower(license_key) COLLATE "C");
CREATE INDEX licenses_key_with_small_letters ON public.licenses USING btree (organization_id) WHERE (license_key <> upper(license_key));
CREATE INDEX licenses_replaced_keys ON public.licenses USING gin (replaced_key_digests) WHERE (replaced_key_digests <> '{}'::text[]);
CREATE INDEX licenses_status ON public.licenses USING btree (organization_id, status, id);
CREATE INDEX licenses_unwarned ON public.licenses USING btree (expires_at) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews) AND (expiry_warned_for IS DISTINCT FROM expires_at));
CREATE INDEX licenses_updated ON public.licenses USING btree (organization_id, updated_at, id);
CREATE INDEX licenses_warned ON public.licenses USING btree (expiry_warned_days, expires_at) WHERE ((status = ANY (ARRAY['active'::text, 'suspended'::text])) AND (NOT renews) AND (expiry_warned_days IS NOT NULL));
alter table licenses enable row level security;
alter table licenses force row level security;
create policy owner_all on licenses for all to titular_owner using (true) with check (true);
create policy system_all on licenses for all to titular_system using (true) with check (true);
create policy tenant on licenses for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on licenses to titular_app;
grant insert, select, update on licenses to titular_system;

create table mails (
  id bigint generated by default as identity not null,
  organization_id bigint,
  kind text not null,
  resource_id bigint,
  user_id bigint,
  email text,
  status text default 'queued'::text not null,
  subject text,
  error text,
  attempts integer default 0 not null,
  message_id text,
  resend_of bigint,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  is_to_people boolean default false not null,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_message_id_key UNIQUE (message_id),
  constraint mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'refused'::text, 'dropped'::text]))),
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX mails_created ON public.mails USING btree (created_at);
CREATE INDEX mails_email ON public.mails USING btree (email, id);
CREATE INDEX mails_kind ON public.mails USING btree (kind, id);
CREATE INDEX mails_organization ON public.mails USING btree (organization_id, id);
CREATE INDEX mails_resend_of ON public.mails USING btree (resend_of) WHERE (resend_of IS NOT NULL);
CREATE INDEX mails_status ON public.mails USING btree (status, id);
CREATE INDEX mails_to_people ON public.mails USING btree (organization_id, id) WHERE is_to_people;
CREATE INDEX mails_to_people_email ON public.mails USING btree (organization_id, email, id) WHERE is_to_people;
CREATE INDEX mails_to_people_kind ON public.mails USING btree (organization_id, kind, id) WHERE is_to_people;
CREATE INDEX mails_to_people_record ON public.mails USING btree (organization_id, resource_id, id) WHERE is_to_people;
CREATE INDEX mails_to_people_status ON public.mails USING btree (organization_id, status, id) WHERE is_to_people;
CREATE INDEX mails_user ON public.mails USING btree (user_id, id);
alter table mails enable row level security;
alter table mails force row level security;
create policy owner_all on mails for all to titular_owner using (true) with check (true);
create policy system_all on mails for all to titular_system using (true) with check (true);
create policy tenant on mails for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on mails to titular_system;
grant insert, select, update on mails to titular_app;

create table maintenance_windows (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  environment_id bigint not null,
  status text default 'scheduled'::text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  note text,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint maintenance_windows_pkey PRIMARY KEY (organization_id, id),
  constraint maintenance_windows_check CHECK ((ends_at > starts_at)),
  constraint maintenance_windows_organization_id_environment_id_fkey FOREIGN KEY (organization_id, environment_id) REFERENCES environments(organization_id, id),
  constraint maintenance_windows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint maintenance_windows_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'ended'::text, 'cancelled'::text])))
);
CREATE INDEX maintenance_windows_environment ON public.maintenance_windows USING btree (organization_id, environment_id, id);
CREATE INDEX maintenance_windows_running ON public.maintenance_windows USING btree (ends_at, organization_id, id) WHERE (status = 'running'::text);
CREATE INDEX maintenance_windows_waiting ON public.maintenance_windows USING btree (starts_at, organization_id, id) WHERE (status = 'scheduled'::text);
alter table maintenance_windows enable row level security;
alter table maintenance_windows force row level security;
create policy owner_all on maintenance_windows for all to titular_owner using (true) with check (true);
create policy system_all on maintenance_windows for all to titular_system using (true) with check (true);
create policy tenant on maintenance_windows for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on maintenance_windows to titular_app;
grant insert, select, update on maintenance_windows to titular_system;

create table milestones (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  service_id bigint not null,
  title text not null,
  due_date date,
  done_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint milestones_pkey PRIMARY KEY (organization_id, id),
  constraint milestones_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint milestones_organization_id_service_id_fkey FOREIGN KEY (organization_id, service_id) REFERENCES services(organization_id, id)
);
CREATE INDEX milestones_service ON public.milestones USING btree (organization_id, service_id, id);
alter table milestones enable row level security;
alter table milestones force row level security;
create policy owner_all on milestones for all to titular_owner using (true) with check (true);
create policy system_all on milestones for all to titular_system using (true) with check (true);
create policy tenant on milestones for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on milestones to titular_app;
grant insert, select, update on milestones to titular_system;

create table municipal_parameters (
  id bigint generated by default as identity not null,
  municipality text not null,
  service_code text not null,
  competence date not null,
  outcome text not null,
  national_environment boolean,
  national_issuer boolean,
  levied boolean,
  rate numeric(4,2),
  valid_from date,
  valid_until date,
  message text,
  raw text not null,
  answered_at timestamp with time zone not null,
  constraint municipal_parameters_pkey PRIMARY KEY (id),
  constraint municipal_parameters_check CHECK ((valid_until >= valid_from)),
  constraint municipal_parameters_check1 CHECK (((outcome = 'published'::text) OR (rate IS NULL))),
  constraint municipal_parameters_check2 CHECK (((outcome <> 'published'::text) OR (service_code = ''::text) OR (valid_from IS NOT NULL))),
  constraint municipal_parameters_municipality_check CHECK ((municipality ~ '^[0-9]{7}$'::text)),
  constraint municipal_parameters_outcome_check CHECK ((outcome = ANY (ARRAY['published'::text, 'none'::text, 'refused'::text]))),
  constraint municipal_parameters_rate_check CHECK ((rate >= (0)::numeric)),
  constraint municipal_parameters_service_code_check CHECK ((service_code ~ '^([0-9]{9})?$'::text))
);
CREATE INDEX municipal_parameters_question ON public.municipal_parameters USING btree (municipality, service_code, id);
grant insert, select on municipal_parameters to titular_system;
grant select on municipal_parameters to titular_app;

create table municipal_questions (
  municipality text not null,
  service_code text not null,
  asked_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  problem text,
  constraint municipal_questions_pkey PRIMARY KEY (municipality, service_code)
);
grant insert, select, update on municipal_questions to titular_system;

create table muted_addresses (
  organization_id bigint not null,
  email text not null,
  kind text not null,
  created_at timestamp with time zone not null,
  constraint muted_addresses_pkey PRIMARY KEY (organization_id, email, kind),
  constraint muted_addresses_email_check CHECK ((email = lower(email))),
  constraint muted_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table muted_addresses enable row level security;
alter table muted_addresses force row level security;
create policy owner_all on muted_addresses for all to titular_owner using (true) with check (true);
create policy system_all on muted_addresses for all to titular_system using (true) with check (true);
create policy tenant on muted_addresses for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select on muted_addresses to titular_system;
grant select on muted_addresses to titular_app;

create table notice_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  kind text not null,
  mail boolean not null,
  inbox boolean not null,
  updated_at timestamp with time zone not null,
  constraint notice_preferences_pkey PRIMARY KEY (organization_id, user_id, kind),
  constraint notice_preferences_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint notice_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
alter table notice_preferences enable row level security;
alter table notice_preferences force row level security;
create policy owner_all on notice_preferences for all to titular_owner using (true) with check (true);
create policy system_all on notice_preferences for all to titular_system using (true) with check (true);
create policy tenant on notice_preferences for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on notice_preferences to titular_app;
grant insert, select, update on notice_preferences to titular_system;

create table number_series (
  document text not null,
  company text not null,
  series text not null,
  opened integer default 1 not null,
  last bigint default 0 not null,
  constraint number_series_pkey PRIMARY KEY (document, company, series),
  constraint number_series_document_check CHECK ((document = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'tax_declaration'::text])))
) with (fillfactor=50);
grant insert, select, update on number_series to titular_app;
grant insert, select, update on number_series to titular_system;

create table orders (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  number text not null,
  status text default 'pending'::text not null,
  company text not null,
  currency text not null,
  subtotal numeric not null,
  tax_total numeric not null,
  total numeric not null,
  line_items jsonb not null,
  quote_id bigint,
  customer_id bigint,
  billing_email text,
  billing_name text,
  billing_address jsonb,
  payment_method text,
  payment_method_title text,
  notes text,
  date_paid timestamp with time zone,
  date_completed timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  discount_total numeric generated always as (((subtotal + tax_total) - total)) stored not null,
  purchase_order text,
  affiliate_code text,
  subscription_status text,
  subscription_reference text,
  subscription_interval text,
  subscription_amount numeric,
  subscription_url text,
  subscription_requested_at timestamp with time zone,
  subscription_ends_at timestamp with time zone,
  subscription_collection_method text,
  subscription_anchor timestamp with time zone,
  subscription_invoiced_until timestamp with time zone,
  subscription_line_items jsonb,
  subscription_next_at timestamp with time zone,
  subscription_failed_attempt text,
  subscription_trial_ends_at timestamp with time zone,
  subscription_cancelled_by text,
  subscription_cancel_reason text,
  subscription_paused_by text,
  subscription_plans jsonb,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint orders_affiliate_code_check CHECK ((affiliate_code ~ '^AFL-[0-9]{6}[0-9]{4,}$'::text)),
  constraint orders_check CHECK (((scale(total) = currency_digits(currency)) AND (scale(subtotal) = currency_digits(currency)) AND (scale(tax_total) = currency_digits(currency)))),
  constraint orders_check1 CHECK (((tax_total >= (0)::numeric) AND (discount_total >= (0)::numeric))),
  constraint orders_check2 CHECK ((scale(subscription_amount) = currency_digits(currency))),
  constraint orders_check3 CHECK (((subscription_status IS NULL) = (subscription_requested_at IS NULL))),
  constraint orders_check4 CHECK (((subscription_anchor IS NULL) = (subscription_invoiced_until IS NULL))),
  constraint orders_check5 CHECK (((subscription_next_at IS NULL) OR (subscription_anchor IS NOT NULL))),
  constraint orders_check6 CHECK (((subscription_status IS NULL) = (subscription_collection_method IS NULL))),
  constraint orders_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint orders_organization_id_quote_id_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes(organization_id, id),
  constraint orders_organization_id_quote_id_key UNIQUE (organization_id, quote_id),
  constraint orders_purchase_order_check CHECK (((char_length(purchase_order) >= 1) AND (char_length(purchase_order) <= 255))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'on-hold'::text, 'completed'::text, 'cancelled'::text, 'refunded'::text, 'failed'::text]))),
  constraint orders_subscription_amount_check CHECK ((subscription_amount >= (0)::numeric)),
  constraint orders_subscription_cancel_reason_check CHECK (((char_length(subscription_cancel_reason) >= 1) AND (char_length(subscription_cancel_reason) <= 2000))),
  constraint orders_subscription_cancelled_by_check CHECK ((subscription_cancelled_by = ANY (ARRAY['customer'::text, 'vendor'::text]))),
  constraint orders_subscription_collection_method_check CHECK ((subscription_collection_method = ANY (ARRAY['charge_automatically'::text, 'send_invoice'::text]))),
  constraint orders_subscription_interval_check CHECK ((subscription_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint orders_subscription_paused_by_check CHECK ((subscription_paused_by = ANY (ARRAY['customer'::text, 'vendor'::text, 'arrears'::text]))),
  constraint orders_subscription_plans_check CHECK ((jsonb_typeof(subscription_plans) = 'array'::text)),
  constraint orders_total_check CHECK ((total >= (0)::numeric))
);
CREATE INDEX orders_affiliate ON public.orders USING btree (affiliate_code, organization_id, id) WHERE (affiliate_code IS NOT NULL);
CREATE INDEX orders_created ON public.orders USING btree (organization_id, created_at, id);
CREATE INDEX orders_customer ON public.orders USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX orders_everywhere ON public.orders USING btree (id);
CREATE INDEX orders_everywhere_company ON public.orders USING btree (company, id);
CREATE INDEX orders_everywhere_created ON public.orders USING btree (created_at, id);
CREATE INDEX orders_everywhere_status ON public.orders USING btree (status, id);
CREATE INDEX orders_everywhere_subscription_company ON public.orders USING btree (company, id) WHERE (subscription_status IS NOT NULL);
CREATE INDEX orders_everywhere_subscription_status ON public.orders USING btree (subscription_status, id) WHERE (subscription_status IS NOT NULL);
CREATE INDEX orders_everywhere_subscriptions ON public.orders USING btree (id) WHERE (subscription_status IS NOT NULL);
CREATE INDEX orders_everywhere_total ON public.orders USING btree (total, id);
CREATE INDEX orders_everywhere_updated ON public.orders USING btree (updated_at, id);
CREATE UNIQUE INDEX orders_external_id ON public.orders USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX orders_number ON public.orders USING btree (organization_id, number);
CREATE INDEX orders_status ON public.orders USING btree (organization_id, status, id);
CREATE INDEX orders_subscription_next ON public.orders USING btree (subscription_next_at, organization_id, id) WHERE (subscription_next_at IS NOT NULL);
CREATE INDEX orders_subscription_status ON public.orders USING btree (organization_id, subscription_status, id) WHERE (subscription_status IS NOT NULL);
CREATE INDEX orders_subscriptions ON public.orders USING btree (organization_id, id) WHERE (subscription_status IS NOT NULL);
CREATE INDEX orders_total ON public.orders USING btree (organization_id, total, id);
CREATE INDEX orders_updated ON public.orders USING btree (organization_id, updated_at, id);
alter table orders enable row level security;
alter table orders force row level security;
create policy owner_all on orders for all to titular_owner using (true) with check (true);
create policy system_all on orders for all to titular_system using (true) with check (true);
create policy tenant on orders for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on orders to titular_app;
grant insert, select, update on orders to titular_system;

create table organization_contacts (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  role text not null,
  user_id bigint,
  email text,
  name text,
  language text not null,
  attachments boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint organization_contacts_pkey PRIMARY KEY (organization_id, id),
  constraint organization_contacts_check CHECK (((user_id IS NULL) <> (email IS NULL))),
  constraint organization_contacts_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint organization_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint organization_contacts_role_check CHECK ((role = ANY (ARRAY['billing'::text, 'technical'::text, 'legal'::text]))),
  constraint organization_contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX organization_contacts_email ON public.organization_contacts USING btree (organization_id, role, lower(email)) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX organization_contacts_user ON public.organization_contacts USING btree (organization_id, role, user_id) WHERE (user_id IS NOT NULL);
alter table organization_contacts enable row level security;
alter table organization_contacts force row level security;
create policy owner_all on organization_contacts for all to titular_owner using (true) with check (true);
create policy system_all on organization_contacts for all to titular_system using (true) with check (true);
create policy tenant on organization_contacts for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on organization_contacts to titular_app;
grant delete, insert, select, update on organization_contacts to titular_system;

create table organization_erasures (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  status text default 'scheduled'::text not null,
  requested_by bigint not null,
  requested_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  kept_until timestamp with time zone,
  problem text,
  ended_at timestamp with time zone,
  constraint organization_erasures_pkey PRIMARY KEY (organization_id, id),
  constraint organization_erasures_check CHECK (((kept_until IS NULL) = (status = ANY (ARRAY['scheduled'::text, 'cancelled'::text])))),
  constraint organization_erasures_check1 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['done'::text, 'cancelled'::text])))),
  constraint organization_erasures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint organization_erasures_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint organization_erasures_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'kept'::text, 'ending'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX organization_erasures_due ON public.organization_erasures USING btree (due_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'running'::text]));
CREATE INDEX organization_erasures_id ON public.organization_erasures USING btree (id);
CREATE INDEX organization_erasures_kept ON public.organization_erasures USING btree (kept_until) WHERE (status = ANY (ARRAY['kept'::text, 'ending'::text]));
CREATE UNIQUE INDEX organization_erasures_open ON public.organization_erasures USING btree (organization_id) WHERE (status <> 'cancelled'::text);
CREATE INDEX organization_erasures_status ON public.organization_erasures USING btree (status, id);
alter table organization_erasures enable row level security;
alter table organization_erasures force row level security;
create policy owner_all on organization_erasures for all to titular_owner using (true) with check (true);
create policy system_all on organization_erasures for all to titular_system using (true) with check (true);
create policy tenant on organization_erasures for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on organization_erasures to titular_system;

create table organization_exports (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  status text default 'queued'::text not null,
  requested_by bigint,
  storage_key text,
  size bigint,
  sha256 text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint organization_exports_pkey PRIMARY KEY (organization_id, id),
  constraint organization_exports_check CHECK (((storage_key IS NOT NULL) = (status = 'completed'::text))),
  constraint organization_exports_check1 CHECK (((ended_at IS NULL) = (status = 'queued'::text))),
  constraint organization_exports_check2 CHECK (((expires_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'failed'::text])))),
  constraint organization_exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint organization_exports_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint organization_exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'completed'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX organization_exports_expiry ON public.organization_exports USING btree (expires_at) WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX organization_exports_queued ON public.organization_exports USING btree (organization_id) WHERE (status = 'queued'::text);
alter table organization_exports enable row level security;
alter table organization_exports force row level security;
create policy owner_all on organization_exports for all to titular_owner using (true) with check (true);
create policy system_all on organization_exports for all to titular_system using (true) with check (true);
create policy tenant on organization_exports for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on organization_exports to titular_app;
grant insert, select, update on organization_exports to titular_system;

create table organization_roles (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  name text not null,
  description text,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint organization_roles_pkey PRIMARY KEY (organization_id, id),
  constraint organization_roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX organization_roles_name ON public.organization_roles USING btree (organization_id, lower(name));
alter table organization_roles enable row level security;
alter table organization_roles force row level security;
create policy owner_all on organization_roles for all to titular_owner using (true) with check (true);
create policy system_all on organization_roles for all to titular_system using (true) with check (true);
create policy tenant on organization_roles for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on organization_roles to titular_app;
grant delete, insert, select, update on organization_roles to titular_system;

create table organizations (
  id bigint generated by default as identity not null,
  organization_id bigint generated always as (id) stored,
  name text not null,
  status text default 'publish'::text not null,
  owner_id bigint,
  parent_id bigint,
  legal_name text,
  cnpj text,
  state_registration text,
  email text,
  phone text,
  address text,
  address2 text,
  address_number text,
  neighborhood text,
  city text,
  state text,
  country text,
  zipcode text,
  ibge_code text,
  type text,
  verification_status text default 'pending'::text,
  verified_at timestamp with time zone,
  verification_requires boolean default false not null,
  requires_invoice_for_payment boolean default false not null,
  payment_customer_id_br text,
  payment_customer_id_global text,
  crm_company_id_br text,
  crm_company_id_global text,
  id_number text,
  municipal_registration text,
  tax_email text,
  tax_param1 text,
  tax_param2 text,
  tax_param3 text,
  tax_param4 text,
  tax_param5 text,
  website text,
  notes text,
  additional_info text,
  contacts_support text,
  contacts_payment text,
  api_last_sync timestamp with time zone,
  api_data text,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  payment_customer_provider_br text,
  payment_customer_provider_global text,
  tax_issue_rule text,
  dunning_hold jsonb,
  renewal_invoice_days integer,
  self_service text[],
  hidden_scopes text[],
  tax_withholding jsonb,
  has_test_clock boolean default false not null,
  require_mfa boolean default false not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  sso_domains text[] default '{}'::text[] not null,
  erased_at timestamp with time zone,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_check CHECK (((erased_at IS NULL) OR (deleted_at IS NOT NULL))),
  constraint organizations_cnpj_check CHECK ((cnpj ~ '^[0-9A-Z]{12}[0-9]{2}$'::text)),
  constraint organizations_hidden_scopes_check CHECK ((hidden_scopes <@ '{finances,orders,licenses,tickets,quotes,contracts,documents,downloads,entitlements}'::text[])),
  constraint organizations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint organizations_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES organizations(id),
  constraint organizations_renewal_invoice_days_check CHECK (((renewal_invoice_days >= 0) AND (renewal_invoice_days <= 60))),
  constraint organizations_self_service_check CHECK ((self_service <@ '{cancel,quantity,pause}'::text[])),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['publish'::text, 'draft'::text]))),
  constraint organizations_tax_issue_rule_check CHECK ((tax_issue_rule ~ '^(on_payment|on_finalize|days_before_due:(0|[1-9]|[1-8][0-9]|90)|next_month_day:([1-9]|[12][0-9]|3[01]))$'::text)),
  constraint organizations_type_check CHECK ((type = ANY (ARRAY['company'::text, 'individual'::text]))),
  constraint organizations_verification_status_check CHECK ((verification_status = ANY (ARRAY['pending'::text, 'verified'::text, 'rejected'::text])))
);
CREATE INDEX organizations_created ON public.organizations USING btree (created_at, id);
CREATE INDEX organizations_deleted ON public.organizations USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX organizations_external_id ON public.organizations USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX organizations_status ON public.organizations USING btree (status, id);
CREATE INDEX organizations_to_verify ON public.organizations USING btree (id) WHERE (verification_requires AND (verification_status = 'pending'::text) AND (deleted_at IS NULL));
CREATE INDEX organizations_type ON public.organizations USING btree (type, id);
CREATE INDEX organizations_updated ON public.organizations USING btree (updated_at, id);
CREATE INDEX organizations_verification ON public.organizations USING btree (verification_status, id);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy owner_all on organizations for all to titular_owner using (true) with check (true);
create policy system_all on organizations for all to titular_system using (true) with check (true);
create policy tenant on organizations for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on organizations to titular_app;
grant insert, select, update on organizations to titular_system;

create table passkey_challenges (
  digest bytea not null,
  user_id bigint,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (digest),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_expires ON public.passkey_challenges USING btree (expires_at);
grant delete, insert, select on passkey_challenges to titular_system;

create table passkeys (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  is_backed_up boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id, id);
grant delete, insert, select, update on passkeys to titular_system;
grant select (user_id) on passkeys to titular_app;

create table payment_references (
  company text not null,
  reference text not null,
  organization_id bigint not null,
  resource text not null,
  resource_id bigint not null,
  created_at timestamp with time zone default now() not null,
  check_after timestamp with time zone default now(),
  provider text not null,
  constraint payment_references_pkey PRIMARY KEY (company, reference, provider),
  constraint payment_references_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint payment_references_resource_check CHECK ((resource = ANY (ARRAY['invoice'::text, 'refund'::text, 'subscription'::text, 'dispute'::text])))
);
CREATE INDEX payment_references_watched ON public.payment_references USING btree (check_after) WHERE (check_after IS NOT NULL);
alter table payment_references enable row level security;
alter table payment_references force row level security;
create policy owner_all on payment_references for all to titular_owner using (true) with check (true);
create policy system_all on payment_references for all to titular_system using (true) with check (true);
create policy tenant on payment_references for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on payment_references to titular_app;
grant insert, select, update on payment_references to titular_system;

create table payments (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  invoice_id bigint,
  company text not null,
  currency text not null,
  amount numeric not null,
  surplus numeric not null,
  source text not null,
  payment_method text,
  paid_at timestamp with time zone not null,
  payment_date date not null,
  provider text,
  reference text,
  recorded_by bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  moved_at timestamp with time zone,
  moved_from_id bigint,
  constraint payments_pkey PRIMARY KEY (organization_id, id),
  constraint payments_amount_check CHECK ((amount > (0)::numeric)),
  constraint payments_check CHECK (((moved_at IS NULL) OR (source = ANY (ARRAY['by_hand'::text, 'import'::text])))),
  constraint payments_check1 CHECK (((surplus >= (0)::numeric) AND (surplus <= amount))),
  constraint payments_check2 CHECK ((scale(amount) = currency_digits(currency))),
  constraint payments_check3 CHECK ((scale(surplus) = currency_digits(currency))),
  constraint payments_check4 CHECK (((source = 'provider'::text) = (provider IS NOT NULL))),
  constraint payments_check5 CHECK (
CASE source
    WHEN 'provider'::text THEN (reference IS NOT NULL)
    WHEN 'import'::text THEN true
    ELSE (reference IS NULL)
END),
  constraint payments_check6 CHECK (((invoice_id IS NOT NULL) OR (surplus = amount))),
  constraint payments_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_moved_from_fkey FOREIGN KEY (organization_id, moved_from_id) REFERENCES payments(organization_id, id),
  constraint payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint payments_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint payments_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  constraint payments_source_check CHECK ((source = ANY (ARRAY['provider'::text, 'by_hand'::text, 'credit_balance'::text, 'import'::text])))
);
CREATE INDEX payments_amount ON public.payments USING btree (organization_id, amount, id);
CREATE INDEX payments_created ON public.payments USING btree (organization_id, created_at, id);
CREATE INDEX payments_dated ON public.payments USING btree (organization_id, payment_date, id);
CREATE INDEX payments_everywhere ON public.payments USING btree (id);
CREATE INDEX payments_everywhere_amount ON public.payments USING btree (amount, id);
CREATE INDEX payments_everywhere_company ON public.payments USING btree (company, id);
CREATE INDEX payments_everywhere_created ON public.payments USING btree (created_at, id);
CREATE INDEX payments_everywhere_dated ON public.payments USING btree (payment_date, id);
CREATE INDEX payments_everywhere_updated ON public.payments USING btree (updated_at, id);
CREATE UNIQUE INDEX payments_external_id ON public.payments USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX payments_invoice ON public.payments USING btree (organization_id, invoice_id, id);
CREATE UNIQUE INDEX payments_moved_from ON public.payments USING btree (organization_id, moved_from_id) WHERE (moved_from_id IS NOT NULL);
CREATE UNIQUE INDEX payments_reported ON public.payments USING btree (organization_id, company, provider, reference, paid_at) WHERE (reference IS NOT NULL);
CREATE INDEX payments_updated ON public.payments USING btree (organization_id, updated_at, id);
alter table payments enable row level security;
alter table payments force row level security;
create policy owner_all on payments for all to titular_owner using (true) with check (true);
create policy system_all on payments for all to titular_system using (true) with check (true);
create policy tenant on payments for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on payments to titular_app;
grant insert, select on payments to titular_system;
grant update (updated_at) on payments to titular_app;
grant update (external_id) on payments to titular_app;
grant update (metadata) on payments to titular_app;
grant update (moved_at) on payments to titular_app;

create table person_exports (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  status text default 'queued'::text not null,
  requested_by bigint not null,
  storage_key text,
  size bigint,
  sha256 text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint person_exports_pkey PRIMARY KEY (id),
  constraint person_exports_check CHECK (((storage_key IS NOT NULL) = (status = 'completed'::text))),
  constraint person_exports_check1 CHECK (((ended_at IS NULL) = (status = 'queued'::text))),
  constraint person_exports_check2 CHECK (((expires_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'failed'::text])))),
  constraint person_exports_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint person_exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'completed'::text, 'failed'::text, 'expired'::text]))),
  constraint person_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX person_exports_expiry ON public.person_exports USING btree (expires_at) WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX person_exports_queued ON public.person_exports USING btree (user_id) WHERE (status = 'queued'::text);
CREATE INDEX person_exports_user ON public.person_exports USING btree (user_id, id);
grant insert, select, update on person_exports to titular_system;

create table price_index_rates (
  id bigint generated by default as identity not null,
  price_index text not null,
  month text not null,
  rate numeric not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint price_index_rates_pkey PRIMARY KEY (id),
  constraint price_index_rates_month_check CHECK ((month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text)),
  constraint price_index_rates_price_index_check CHECK ((price_index ~ '^[A-Z][A-Z0-9-]{1,19}$'::text)),
  constraint price_index_rates_price_index_month_key UNIQUE (price_index, month),
  constraint price_index_rates_rate_check CHECK (((rate > ('-100'::integer)::numeric) AND (rate < (100)::numeric) AND (scale(rate) <= 4)))
);
grant delete, insert, select, update on price_index_rates to titular_system;
grant select on price_index_rates to titular_app;

create table prices (
  id bigint generated by default as identity not null,
  product_id bigint not null,
  company text not null,
  currency text not null,
  unit_price numeric not null,
  term_months integer,
  tax_percent numeric(5,2),
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  "interval" text,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint prices_pkey PRIMARY KEY (id),
  constraint prices_check CHECK ((scale(unit_price) = currency_digits(currency))),
  constraint prices_check1 CHECK ((("interval" IS NULL) OR (term_months IS NULL))),
  constraint prices_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint prices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint prices_interval_check CHECK (("interval" = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint prices_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint prices_tax_percent_check CHECK (((tax_percent >= (0)::numeric) AND (tax_percent <= (100)::numeric))),
  constraint prices_term_months_check CHECK (((term_months >= 1) AND (term_months <= 240))),
  constraint prices_unit_price_check CHECK ((unit_price >= (0)::numeric))
);
CREATE UNIQUE INDEX prices_current ON public.prices USING btree (product_id, company, currency) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX prices_external_id ON public.prices USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX prices_product ON public.prices USING btree (product_id, id);
grant insert, select, update on prices to titular_system;
grant select on prices to titular_app;

create table products (
  id bigint generated by default as identity not null,
  sku text not null,
  name text not null,
  description text,
  entitlement_class text not null,
  active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  update_months integer,
  features jsonb default '[]'::jsonb not null,
  tax_issue_rule text,
  service_code text,
  nbs_code text,
  iss_rate numeric(3,2),
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_entitlement_class_check CHECK ((entitlement_class = ANY (ARRAY['PLG'::text, 'ENV'::text, 'SVC'::text, 'ORD'::text, 'AFL'::text, 'EDU'::text]))),
  constraint products_iss_rate_check CHECK ((iss_rate >= (0)::numeric)),
  constraint products_nbs_code_check CHECK ((nbs_code ~ '^[0-9]{9}$'::text)),
  constraint products_service_code_check CHECK ((service_code ~ '^[0-9]{6}([0-9]{3})?$'::text)),
  constraint products_sku_check CHECK ((sku ~ '^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$'::text)),
  constraint products_tax_issue_rule_check CHECK ((tax_issue_rule ~ '^(on_payment|on_finalize|days_before_due:(0|[1-9]|[1-8][0-9]|90)|next_month_day:([1-9]|[12][0-9]|3[01]))$'::text)),
  constraint products_update_months_check CHECK (((update_months >= 1) AND (update_months <= 240)))
);
CREATE UNIQUE INDEX products_external_id ON public.products USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX products_name ON public.products USING btree (name);
CREATE UNIQUE INDEX products_sku ON public.products USING btree (lower(sku));
CREATE INDEX products_sold ON public.products USING btree (entitlement_class, id) WHERE active;
grant insert, select, update on products to titular_system;
grant select on products to titular_app;

create table provider_events (
  id bigint generated by default as identity not null,
  source text not null,
  company text not null,
  dedupe_key text not null,
  type text not null,
  body bytea not null,
  event jsonb,
  received_at timestamp with time zone default now() not null,
  error text,
  set_aside_at timestamp with time zone,
  set_aside_reason text,
  constraint provider_events_pkey PRIMARY KEY (id),
  constraint provider_events_check CHECK (((event IS NULL) = (error IS NOT NULL))),
  constraint provider_events_set_aside CHECK (((set_aside_at IS NULL) = (set_aside_reason IS NULL))),
  constraint provider_events_source_company_dedupe_key_key UNIQUE (source, company, dedupe_key)
);
CREATE INDEX provider_events_received ON public.provider_events USING btree (received_at, id);
CREATE INDEX provider_events_unreadable ON public.provider_events USING btree (id) WHERE ((event IS NULL) AND (set_aside_at IS NULL));
grant delete, insert, select on provider_events to titular_system;
grant update (set_aside_at) on provider_events to titular_system;
grant update (set_aside_reason) on provider_events to titular_system;

create table queue_assignments (
  kind text not null,
  record_id bigint not null,
  assignee_id bigint,
  snoozed_until timestamp with time zone,
  constraint queue_assignments_pkey PRIMARY KEY (kind, record_id),
  constraint queue_assignments_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id)
);
grant insert, select, update on queue_assignments to titular_system;

create table quote_links (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  quote_id bigint not null,
  nonce text not null,
  token_digest bytea not null,
  mailed boolean default false not null,
  note text,
  created_by bigint,
  created_by_name text not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  view_count integer default 0 not null,
  first_viewed_at timestamp with time zone,
  last_viewed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint quote_links_pkey PRIMARY KEY (organization_id, id),
  constraint quote_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint quote_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint quote_links_organization_id_quote_id_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes(organization_id, id),
  constraint quote_links_view_count_check CHECK ((view_count >= 0))
);
CREATE INDEX quote_links_quote ON public.quote_links USING btree (organization_id, quote_id, id);
CREATE UNIQUE INDEX quote_links_token_digest ON public.quote_links USING btree (token_digest);
alter table quote_links enable row level security;
alter table quote_links force row level security;
create policy owner_all on quote_links for all to titular_owner using (true) with check (true);
create policy system_all on quote_links for all to titular_system using (true) with check (true);
create policy tenant on quote_links for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on quote_links to titular_app;
grant insert, select, update on quote_links to titular_system;

create table quote_requests (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  status text default 'open'::text not null,
  company text not null,
  currency text not null,
  line_items jsonb not null,
  notes text,
  requested_by bigint,
  requested_by_name text not null,
  quote_id bigint,
  decline_reason text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint quote_requests_pkey PRIMARY KEY (organization_id, id),
  constraint quote_requests_check CHECK (((quote_id IS NOT NULL) OR (status <> 'drafted'::text))),
  constraint quote_requests_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint quote_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint quote_requests_organization_id_quote_id_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes(organization_id, id),
  constraint quote_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint quote_requests_status_check CHECK ((status = ANY (ARRAY['open'::text, 'drafted'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE INDEX quote_requests_everywhere ON public.quote_requests USING btree (id);
CREATE INDEX quote_requests_everywhere_created ON public.quote_requests USING btree (created_at, id);
CREATE INDEX quote_requests_everywhere_status ON public.quote_requests USING btree (status, id);
CREATE INDEX quote_requests_everywhere_updated ON public.quote_requests USING btree (updated_at, id);
CREATE INDEX quote_requests_status ON public.quote_requests USING btree (organization_id, status, id);
alter table quote_requests enable row level security;
alter table quote_requests force row level security;
create policy owner_all on quote_requests for all to titular_owner using (true) with check (true);
create policy system_all on quote_requests for all to titular_system using (true) with check (true);
create policy tenant on quote_requests for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on quote_requests to titular_app;
grant insert, select, update on quote_requests to titular_system;

create table quotes (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  status text default 'draft'::text not null,
  company text not null,
  currency text not null,
  subtotal numeric not null,
  total numeric not null,
  valid_until date not null,
  line_items jsonb not null,
  notes text,
  rejection_reason text,
  order_id bigint,
  entitlement_ids bigint[] default '{}'::bigint[] not null,
  created_by bigint,
  sent_at timestamp with time zone,
  viewed_at timestamp with time zone,
  accepted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  warned_days integer,
  tax_total numeric not null,
  purchase_order text,
  affiliate_code text,
  version integer default 1 not null,
  first_id bigint,
  supersedes_id bigint,
  superseded_by_id bigint,
  discount_total numeric generated always as (((subtotal + tax_total) - total)) stored not null,
  number text generated always as ((('Q-'::text || COALESCE(first_id, id)) ||
CASE
    WHEN (version > 1) THEN ('-v'::text || version)
    ELSE ''::text
END)) stored not null,
  answered_by jsonb,
  recipients text[] default '{}'::text[] not null,
  offered_line_items jsonb,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint quotes_pkey PRIMARY KEY (organization_id, id),
  constraint quotes_affiliate_code_check CHECK ((affiliate_code ~ '^AFL-[0-9]{6}[0-9]{4,}$'::text)),
  constraint quotes_check CHECK (((total >= (0)::numeric) AND (subtotal >= (0)::numeric))),
  constraint quotes_check1 CHECK (((scale(total) = currency_digits(currency)) AND (scale(subtotal) = currency_digits(currency)))),
  constraint quotes_check2 CHECK ((((version = 1) = (first_id IS NULL)) AND ((version = 1) = (supersedes_id IS NULL)))),
  constraint quotes_check3 CHECK ((scale(tax_total) = currency_digits(currency))),
  constraint quotes_check4 CHECK (((tax_total >= (0)::numeric) AND (discount_total >= (0)::numeric))),
  constraint quotes_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint quotes_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint quotes_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint quotes_organization_id_first_id_fkey FOREIGN KEY (organization_id, first_id) REFERENCES quotes(organization_id, id),
  constraint quotes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint quotes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint quotes_organization_id_superseded_by_id_fkey FOREIGN KEY (organization_id, superseded_by_id) REFERENCES quotes(organization_id, id),
  constraint quotes_organization_id_supersedes_id_fkey FOREIGN KEY (organization_id, supersedes_id) REFERENCES quotes(organization_id, id),
  constraint quotes_purchase_order_check CHECK (((char_length(purchase_order) >= 1) AND (char_length(purchase_order) <= 255))),
  constraint quotes_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'viewed'::text, 'accepted'::text, 'paid'::text, 'fulfilled'::text, 'expired'::text, 'rejected'::text, 'cancelled'::text]))),
  constraint quotes_version_check CHECK ((version >= 1))
);
CREATE INDEX quotes_created ON public.quotes USING btree (organization_id, created_at, id);
CREATE INDEX quotes_everywhere ON public.quotes USING btree (id);
CREATE INDEX quotes_everywhere_company ON public.quotes USING btree (company, id);
CREATE INDEX quotes_everywhere_created ON public.quotes USING btree (created_at, id);
CREATE INDEX quotes_everywhere_created_by ON public.quotes USING btree (created_by, id) WHERE (created_by IS NOT NULL);
CREATE INDEX quotes_everywhere_status ON public.quotes USING btree (status, id);
CREATE INDEX quotes_everywhere_total ON public.quotes USING btree (total, id);
CREATE INDEX quotes_everywhere_updated ON public.quotes USING btree (updated_at, id);
CREATE INDEX quotes_everywhere_valid_until ON public.quotes USING btree (valid_until, id);
CREATE UNIQUE INDEX quotes_external_id ON public.quotes USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX quotes_family ON public.quotes USING btree (organization_id, first_id) WHERE (first_id IS NOT NULL);
CREATE UNIQUE INDEX quotes_number ON public.quotes USING btree (organization_id, number);
CREATE INDEX quotes_open ON public.quotes USING btree (valid_until, organization_id, id) WHERE (status = ANY (ARRAY['sent'::text, 'viewed'::text]));
CREATE INDEX quotes_status ON public.quotes USING btree (organization_id, status, id) INCLUDE (sent_at);
CREATE UNIQUE INDEX quotes_successor ON public.quotes USING btree (organization_id, supersedes_id) WHERE ((supersedes_id IS NOT NULL) AND (status <> 'cancelled'::text));
CREATE INDEX quotes_total ON public.quotes USING btree (organization_id, total, id);
CREATE INDEX quotes_undelivered ON public.quotes USING btree (updated_at, organization_id, id) WHERE (status = 'paid'::text);
CREATE INDEX quotes_updated ON public.quotes USING btree (organization_id, updated_at, id);
CREATE INDEX quotes_valid_until ON public.quotes USING btree (organization_id, valid_until, id);
alter table quotes enable row level security;
alter table quotes force row level security;
create policy drafts_are_for_staff on quotes as restrictive for all to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR ((status <> 'draft'::text) AND ((status <> 'cancelled'::text) OR (sent_at IS NOT NULL)))));
create policy owner_all on quotes for all to titular_owner using (true) with check (true);
create policy system_all on quotes for all to titular_system using (true) with check (true);
create policy tenant on quotes for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on quotes to titular_app;
grant insert, select, update on quotes to titular_system;

create table rate_limits (
  key character varying(255) not null,
  points integer default 0 not null,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_expire ON public.rate_limits USING btree (expire);
grant delete, insert, select, update on rate_limits to titular_system;

create table recovery_codes (
  user_id bigint not null,
  digest bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on recovery_codes to titular_system;

create table refresh_tokens (
  digest bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  rotated_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (digest),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_session ON public.refresh_tokens USING btree (session_id);
grant delete, insert, select, update on refresh_tokens to titular_system;

create table refunds (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  order_id bigint,
  invoice_id bigint,
  status text default 'processing'::text not null,
  is_approved boolean default false not null,
  amount numeric not null,
  currency text not null,
  reason text,
  provider_reference text,
  requested_by bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  failure_reason text,
  rejection_reason text,
  payment_id bigint,
  credit_balance_id bigint,
  refunded_on date,
  settled_at timestamp with time zone,
  tax_invoice_action text,
  dispute_id bigint,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint refunds_pkey PRIMARY KEY (organization_id, id),
  constraint refunds_amount_check CHECK ((amount > (0)::numeric)),
  constraint refunds_check CHECK ((scale(amount) = currency_digits(currency))),
  constraint refunds_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint refunds_of CHECK (((num_nonnulls(invoice_id, credit_balance_id) = 1) AND ((order_id IS NULL) OR (invoice_id IS NOT NULL)))),
  constraint refunds_organization_id_credit_balance_id_fkey FOREIGN KEY (organization_id, credit_balance_id) REFERENCES credit_balances(organization_id, id),
  constraint refunds_organization_id_dispute_id_fkey FOREIGN KEY (organization_id, dispute_id) REFERENCES disputes(organization_id, id),
  constraint refunds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint refunds_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint refunds_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint refunds_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  constraint refunds_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'succeeded'::text, 'failed'::text, 'rejected'::text]))),
  constraint refunds_tax_invoice_action_check CHECK ((tax_invoice_action = ANY (ARRAY['cancel'::text, 'keep'::text])))
);
CREATE INDEX refunds_amount ON public.refunds USING btree (organization_id, amount, id);
CREATE INDEX refunds_created ON public.refunds USING btree (organization_id, created_at, id);
CREATE INDEX refunds_dated ON public.refunds USING btree (organization_id, refunded_on, id) WHERE (refunded_on IS NOT NULL);
CREATE INDEX refunds_dispute ON public.refunds USING btree (organization_id, dispute_id) WHERE (dispute_id IS NOT NULL);
CREATE INDEX refunds_everywhere ON public.refunds USING btree (id);
CREATE INDEX refunds_everywhere_amount ON public.refunds USING btree (amount, id);
CREATE INDEX refunds_everywhere_created ON public.refunds USING btree (created_at, id);
CREATE INDEX refunds_everywhere_order ON public.refunds USING btree (order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX refunds_everywhere_status ON public.refunds USING btree (status, id);
CREATE INDEX refunds_everywhere_updated ON public.refunds USING btree (updated_at, id);
CREATE UNIQUE INDEX refunds_external_id ON public.refunds USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX refunds_invoice ON public.refunds USING btree (organization_id, invoice_id, id);
CREATE INDEX refunds_order ON public.refunds USING btree (organization_id, order_id, id);
CREATE INDEX refunds_payment ON public.refunds USING btree (organization_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX refunds_status ON public.refunds USING btree (organization_id, status, id);
CREATE INDEX refunds_under_way ON public.refunds USING btree (id) WHERE (status = 'processing'::text);
CREATE INDEX refunds_updated ON public.refunds USING btree (organization_id, updated_at, id);
alter table refunds enable row level security;
alter table refunds force row level security;
create policy owner_all on refunds for all to titular_owner using (true) with check (true);
create policy system_all on refunds for all to titular_system using (true) with check (true);
create policy tenant on refunds for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on refunds to titular_app;
grant insert, select, update on refunds to titular_system;

create table release_files (
  id bigint generated by default as identity not null,
  release_id bigint not null,
  platform text not null,
  architecture text not null,
  file_name text not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  signature text,
  storage_key text not null,
  created_at timestamp with time zone not null,
  constraint release_files_pkey PRIMARY KEY (id),
  constraint release_files_architecture_check CHECK ((architecture = ANY (ARRAY['x64'::text, 'arm64'::text, 'any'::text]))),
  constraint release_files_file_name_check CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint release_files_platform_check CHECK ((platform = ANY (ARRAY['linux'::text, 'macos'::text, 'windows'::text, 'any'::text]))),
  constraint release_files_release_id_file_name_key UNIQUE (release_id, file_name),
  constraint release_files_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id),
  constraint release_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint release_files_signature_check CHECK (((char_length(signature) >= 1) AND (char_length(signature) <= 4096))),
  constraint release_files_size_check CHECK ((size > 0)),
  constraint release_files_storage_key_key UNIQUE (storage_key)
);
alter table release_files enable row level security;
alter table release_files force row level security;
create policy owner_all on release_files for all to titular_owner using (true) with check (true);
create policy published on release_files for select to titular_app using ((EXISTS ( SELECT
   FROM releases r
  WHERE ((r.id = release_files.release_id) AND (r.status <> 'draft'::text)))));
create policy staff_write on release_files for all to titular_app using ((current_setting('app.staff'::text, true) = 'on'::text)) with check ((current_setting('app.staff'::text, true) = 'on'::text));
create policy system_all on release_files for all to titular_system using (true) with check (true);
grant delete, insert, select on release_files to titular_app;
grant select on release_files to titular_system;

create table releases (
  id bigint generated by default as identity not null,
  product_id bigint not null,
  version text not null,
  version_key text collate "C" not null,
  channel text default 'stable'::text not null,
  status text default 'draft'::text not null,
  released_at timestamp with time zone,
  release_notes text,
  release_notes_pt_br text,
  yank_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  "position" text collate "C" generated always as ((lpad((product_id)::text, 19, '0'::text) || version_key)) stored not null,
  constraint releases_pkey PRIMARY KEY (id),
  constraint releases_channel_check CHECK ((channel = ANY (ARRAY['stable'::text, 'beta'::text]))),
  constraint releases_check CHECK (((status = 'draft'::text) OR (released_at IS NOT NULL))),
  constraint releases_check1 CHECK (((status = 'yanked'::text) = (yank_reason IS NOT NULL))),
  constraint releases_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint releases_product_id_version_key_key UNIQUE (product_id, version_key),
  constraint releases_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'yanked'::text]))),
  constraint releases_version_check CHECK (((char_length(version) >= 5) AND (char_length(version) <= 64))),
  constraint releases_yank_reason_check CHECK (((char_length(yank_reason) >= 1) AND (char_length(yank_reason) <= 1000)))
);
CREATE INDEX releases_position ON public.releases USING btree ("position");
alter table releases enable row level security;
alter table releases force row level security;
create policy owner_all on releases for all to titular_owner using (true) with check (true);
create policy published on releases for select to titular_app using ((status <> 'draft'::text));
create policy staff_write on releases for all to titular_app using ((current_setting('app.staff'::text, true) = 'on'::text)) with check ((current_setting('app.staff'::text, true) = 'on'::text));
create policy system_all on releases for all to titular_system using (true) with check (true);
grant delete, insert, select, update on releases to titular_app;
grant select on releases to titular_system;

create table search_terms (
  organization_id bigint not null,
  term text collate "C" not null,
  resource text not null,
  resource_id bigint not null,
  field text not null,
  segment bigint generated always as ((resource_id >> 14)) stored not null,
  constraint search_terms_pkey PRIMARY KEY (organization_id, resource, term, resource_id, field),
  constraint search_terms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX search_terms_everywhere ON public.search_terms USING btree (resource, term, resource_id) INCLUDE (organization_id, field);
CREATE INDEX search_terms_segment ON public.search_terms USING btree (organization_id, resource, segment, term, resource_id);
alter table search_terms enable row level security;
alter table search_terms force row level security;
create policy owner_all on search_terms for all to titular_owner using (true) with check (true);
create policy system_all on search_terms for all to titular_system using (true) with check (true);
create policy tenant on search_terms for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on search_terms to titular_app;
grant delete, insert, select, update on search_terms to titular_system;

create table service_audit (
  id bigint generated by default as identity not null,
  at timestamp with time zone default now() not null,
  actor_kind text not null,
  actor_id bigint,
  actor text not null,
  action text not null,
  resource text not null,
  resource_id bigint,
  details jsonb default '{}'::jsonb not null,
  request_id text,
  ip text,
  constraint service_audit_pkey PRIMARY KEY (id)
);
CREATE INDEX service_audit_at ON public.service_audit USING btree (at, id);
grant insert on service_audit to titular_app;
grant insert, select on service_audit to titular_system;

create table service_audit_redactions (
  entry_id bigint not null,
  erasure_id bigint not null,
  hash bytea not null,
  constraint service_audit_redactions_pkey PRIMARY KEY (entry_id),
  constraint service_audit_redactions_hash_check CHECK ((length(hash) = 32))
);
grant insert, select, update on service_audit_redactions to titular_system;

create table service_audit_seals (
  entry_id bigint not null,
  hash bytea not null,
  constraint service_audit_seals_pkey PRIMARY KEY (entry_id),
  constraint service_audit_seals_hash_check CHECK ((length(hash) = 32))
);
grant insert, select on service_audit_seals to titular_system;

create table service_history (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  service_id bigint not null,
  from_status text,
  to_status text not null,
  changed_at timestamp with time zone not null,
  changed_by_name text not null,
  note text,
  changed_by bigint,
  constraint service_history_pkey PRIMARY KEY (organization_id, id),
  constraint service_history_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint service_history_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint service_history_organization_id_service_id_fkey FOREIGN KEY (organization_id, service_id) REFERENCES services(organization_id, id)
);
CREATE INDEX service_history_service ON public.service_history USING btree (organization_id, service_id, id);
alter table service_history enable row level security;
alter table service_history force row level security;
create policy owner_all on service_history for all to titular_owner using (true) with check (true);
create policy system_all on service_history for all to titular_system using (true) with check (true);
create policy tenant on service_history for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on service_history to titular_app;
grant insert, select on service_history to titular_system;
grant update (changed_by_name) on service_history to titular_system;

create table services (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  name text not null,
  status text default 'proposal'::text not null,
  lifecycle text not null,
  description text,
  entitlement_id bigint not null,
  entitlement_code text not null,
  metadata text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  external_id text,
  constraint services_pkey PRIMARY KEY (organization_id, id),
  constraint services_lifecycle_check CHECK ((lifecycle = ANY (ARRAY['ongoing'::text, 'project'::text]))),
  constraint services_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint services_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint services_status_check CHECK ((status = ANY (ARRAY['proposal'::text, 'approved'::text, 'in_progress'::text, 'on_hold'::text, 'delivered'::text, 'closed'::text, 'cancelled'::text])))
);
CREATE INDEX services_created ON public.services USING btree (organization_id, created_at, id);
CREATE INDEX services_entitlement ON public.services USING btree (organization_id, entitlement_id, id);
CREATE INDEX services_everywhere ON public.services USING btree (id);
CREATE INDEX services_everywhere_created ON public.services USING btree (created_at, id);
CREATE INDEX services_everywhere_entitlement ON public.services USING btree (entitlement_id, id);
CREATE INDEX services_everywhere_lifecycle ON public.services USING btree (lifecycle, id);
CREATE INDEX services_everywhere_status ON public.services USING btree (status, id);
CREATE INDEX services_everywhere_updated ON public.services USING btree (updated_at, id);
CREATE UNIQUE INDEX services_external_id ON public.services USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX services_lifecycle ON public.services USING btree (organization_id, lifecycle, id);
CREATE INDEX services_status ON public.services USING btree (organization_id, status, id);
CREATE INDEX services_updated ON public.services USING btree (organization_id, updated_at, id);
alter table services enable row level security;
alter table services force row level security;
create policy owner_all on services for all to titular_owner using (true) with check (true);
create policy system_all on services for all to titular_system using (true) with check (true);
create policy tenant on services for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on services to titular_app;
grant insert, select, update on services to titular_system;

create table sessions (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  secret_digest bytea,
  ip text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  signed_in_by text default 'password'::text not null,
  last_seen_at timestamp with time zone default now() not null,
  second_factor text,
  authenticated_at timestamp with time zone default now() not null,
  passkey_id bigint,
  sso_connection_id bigint,
  sso_organization_id bigint,
  sso_second_factor boolean default false not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_second_factor_check CHECK ((second_factor = ANY (ARRAY['totp'::text, 'recovery_code'::text, 'passkey'::text, 'sso'::text]))),
  constraint sessions_signed_in_by_check CHECK ((signed_in_by = ANY (ARRAY['password'::text, 'mailed_link'::text, 'passkey'::text, 'sso'::text, 'device'::text]))),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_passkey ON public.sessions USING btree (passkey_id) WHERE ((passkey_id IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX sessions_sso ON public.sessions USING btree (sso_connection_id) WHERE ((sso_connection_id IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id) WHERE (ended_at IS NULL);
grant delete, insert, select, update on sessions to titular_system;
grant select (id) on sessions to titular_app;
grant select (user_id) on sessions to titular_app;
grant select (secret_digest) on sessions to titular_app;
grant select (expires_at) on sessions to titular_app;
grant select (ended_at) on sessions to titular_app;
grant select (second_factor) on sessions to titular_app;
grant select (authenticated_at) on sessions to titular_app;
grant select (sso_organization_id) on sessions to titular_app;
grant select (sso_second_factor) on sessions to titular_app;

create table sign_in_challenges (
  digest bytea not null,
  user_id bigint not null,
  attempts integer default 0 not null,
  expires_at timestamp with time zone not null,
  signed_in_by text default 'password'::text not null,
  sso_connection_id bigint,
  sso_organization_id bigint,
  constraint sign_in_challenges_pkey PRIMARY KEY (digest),
  constraint sign_in_challenges_signed_in_by_check CHECK ((signed_in_by = ANY (ARRAY['password'::text, 'mailed_link'::text, 'sso'::text]))),
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_expires ON public.sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_user ON public.sign_in_challenges USING btree (user_id);
grant delete, insert, select, update on sign_in_challenges to titular_system;

create table site_reports (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  license_id bigint not null,
  domain text not null,
  version text not null,
  platform text,
  platform_version text,
  last_seen_at timestamp with time zone not null,
  constraint site_reports_pkey PRIMARY KEY (organization_id, id),
  constraint site_reports_organization_id_domain_license_id_key UNIQUE (organization_id, domain, license_id),
  constraint site_reports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint site_reports_organization_id_license_id_fkey FOREIGN KEY (organization_id, license_id) REFERENCES licenses(organization_id, id)
) with (fillfactor=50);
alter table site_reports enable row level security;
alter table site_reports force row level security;
create policy owner_all on site_reports for all to titular_owner using (true) with check (true);
create policy system_all on site_reports for all to titular_system using (true) with check (true);
create policy tenant on site_reports for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on site_reports to titular_app;
grant delete, insert, select, update on site_reports to titular_system;

create table sites (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  domain text not null,
  name text not null,
  platform text,
  status text default 'active'::text not null,
  license_ids bigint[] default '{}'::bigint[] not null,
  environment_id bigint,
  verification_status text default 'unverified'::text not null,
  verification_method text,
  verified_at timestamp with time zone,
  proof_checked_at timestamp with time zone,
  proof_seen_at timestamp with time zone,
  challenge text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint sites_pkey PRIMARY KEY (organization_id, id),
  constraint sites_domain_check CHECK (((domain = lower(domain)) AND ((length(domain) >= 1) AND (length(domain) <= 253)))),
  constraint sites_in_use_are_active CHECK (((status = 'active'::text) OR ((license_ids = '{}'::bigint[]) AND (environment_id IS NULL)))),
  constraint sites_organization_id_domain_key UNIQUE (organization_id, domain),
  constraint sites_organization_id_environment_id_fkey FOREIGN KEY (organization_id, environment_id) REFERENCES environments(organization_id, id),
  constraint sites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint sites_proof CHECK ((((verification_status = 'unverified'::text) = (verified_at IS NULL)) AND ((verified_at IS NULL) = (verification_method IS NULL)))),
  constraint sites_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text]))),
  constraint sites_verification_method_check CHECK ((verification_method = ANY (ARRAY['dns'::text, 'file'::text]))),
  constraint sites_verification_status_check CHECK ((verification_status = ANY (ARRAY['unverified'::text, 'verified'::text, 'lapsed'::text])))
);
CREATE INDEX sites_created ON public.sites USING btree (organization_id, created_at, id);
CREATE INDEX sites_environment ON public.sites USING btree (organization_id, environment_id) WHERE (environment_id IS NOT NULL);
CREATE INDEX sites_everywhere ON public.sites USING btree (id);
CREATE INDEX sites_everywhere_created ON public.sites USING btree (created_at, id);
CREATE INDEX sites_everywhere_environment ON public.sites USING btree (environment_id, id) WHERE (environment_id IS NOT NULL);
CREATE INDEX sites_everywhere_status ON public.sites USING btree (status, id);
CREATE INDEX sites_everywhere_updated ON public.sites USING btree (updated_at, id);
CREATE INDEX sites_everywhere_verified ON public.sites USING btree (((verification_status = 'verified'::text)), id);
CREATE INDEX sites_proven ON public.sites USING btree (domain) WHERE (verification_status = 'verified'::text);
CREATE INDEX sites_status ON public.sites USING btree (organization_id, status, id);
CREATE INDEX sites_to_check ON public.sites USING btree (proof_checked_at) WHERE (verification_status = 'verified'::text);
CREATE INDEX sites_updated ON public.sites USING btree (organization_id, updated_at, id);
CREATE INDEX sites_verified ON public.sites USING btree (organization_id, ((verification_status = 'verified'::text)), id);
alter table sites enable row level security;
alter table sites force row level security;
create policy owner_all on sites for all to titular_owner using (true) with check (true);
create policy system_all on sites for all to titular_system using (true) with check (true);
create policy tenant on sites for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on sites to titular_app;
grant delete, insert, select, update on sites to titular_system;

create table sso_connections (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  domains text[] not null,
  is_required boolean default false not null,
  creates_members boolean default true not null,
  member_scopes text[] default '{}'::text[] not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  trusts_email boolean default false not null,
  constraint sso_connections_pkey PRIMARY KEY (organization_id, id),
  constraint sso_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX sso_connections_domains ON public.sso_connections USING gin (domains);
CREATE UNIQUE INDEX sso_connections_id ON public.sso_connections USING btree (id);
alter table sso_connections enable row level security;
alter table sso_connections force row level security;
create policy owner_all on sso_connections for all to titular_owner using (true) with check (true);
create policy system_all on sso_connections for all to titular_system using (true) with check (true);
create policy tenant on sso_connections for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on sso_connections to titular_app;
grant delete, insert, select, update on sso_connections to titular_system;

create table sso_identities (
  id bigint generated by default as identity not null,
  user_id bigint not null,
  connection_id bigint,
  issuer text not null,
  subject text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint sso_identities_pkey PRIMARY KEY (id),
  constraint sso_identities_connection_id_issuer_subject_key UNIQUE NULLS NOT DISTINCT (connection_id, issuer, subject),
  constraint sso_identities_user_id_connection_id_issuer_key UNIQUE NULLS NOT DISTINCT (user_id, connection_id, issuer),
  constraint sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sso_identities_connection ON public.sso_identities USING btree (connection_id);
grant delete, insert, select, update on sso_identities to titular_system;

create table sso_sign_ins (
  digest bytea not null,
  browser_digest bytea not null,
  connection_id bigint,
  return_path text not null,
  expires_at timestamp with time zone not null,
  constraint sso_sign_ins_pkey PRIMARY KEY (digest)
);
CREATE INDEX sso_sign_ins_expires ON public.sso_sign_ins USING btree (expires_at);
grant delete, insert, select on sso_sign_ins to titular_system;

create table staff_entries (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  user_id bigint not null,
  user_name text not null,
  reason text not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  constraint staff_entries_pkey PRIMARY KEY (organization_id, id),
  constraint staff_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint staff_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX staff_entries_everywhere ON public.staff_entries USING btree (id);
CREATE INDEX staff_entries_everywhere_created ON public.staff_entries USING btree (created_at, id);
CREATE INDEX staff_entries_everywhere_end ON public.staff_entries USING btree (LEAST(ends_at, ended_at), id);
CREATE INDEX staff_entries_everywhere_updated ON public.staff_entries USING btree (updated_at, id);
CREATE INDEX staff_entries_everywhere_user ON public.staff_entries USING btree (user_id, id);
CREATE INDEX staff_entries_of ON public.staff_entries USING btree (organization_id, user_id, ends_at);
alter table staff_entries enable row level security;
alter table staff_entries force row level security;
create policy owner_all on staff_entries for all to titular_owner using (true) with check (true);
create policy system_all on staff_entries for all to titular_system using (true) with check (true);
create policy tenant on staff_entries for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on staff_entries to titular_system;
grant update (user_name) on staff_entries to titular_system;
grant update (reason) on staff_entries to titular_system;
grant update (ended_at) on staff_entries to titular_system;
grant update (updated_at) on staff_entries to titular_system;

create table tax_invoice_documents (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  tax_invoice_id bigint not null,
  kind text not null,
  xml text not null,
  sha256 text not null,
  created_at timestamp with time zone default now() not null,
  constraint tax_invoice_documents_pkey PRIMARY KEY (organization_id, id),
  constraint tax_invoice_documents_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'cancellation'::text]))),
  constraint tax_invoice_documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint tax_invoice_documents_organization_id_tax_invoice_id_fkey FOREIGN KEY (organization_id, tax_invoice_id) REFERENCES tax_invoices(organization_id, id),
  constraint tax_invoice_documents_organization_id_tax_invoice_id_kind_key UNIQUE (organization_id, tax_invoice_id, kind),
  constraint tax_invoice_documents_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
alter table tax_invoice_documents enable row level security;
alter table tax_invoice_documents force row level security;
create policy owner_all on tax_invoice_documents for all to titular_owner using (true) with check (true);
create policy system_all on tax_invoice_documents for all to titular_system using (true) with check (true);
create policy tenant on tax_invoice_documents for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on tax_invoice_documents to titular_app;
grant insert, select on tax_invoice_documents to titular_system;

create table tax_invoices (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  invoice_id bigint not null,
  order_id bigint,
  company text default 'entity_br'::text not null,
  status text default 'pending'::text not null,
  substatus text,
  service_code text,
  description text not null,
  total numeric not null,
  currency text default 'BRL'::text not null,
  iss_rate numeric,
  iss_amount numeric,
  series text not null,
  rps_number bigint not null,
  declaration_id text,
  declaration_xml text,
  competence date not null,
  declared_at timestamp with time zone,
  profile jsonb,
  withheld jsonb default '[]'::jsonb not null,
  line_items jsonb not null,
  line_numbers integer[] default '{}'::integer[] not null,
  recipient jsonb not null,
  nfse_number text,
  access_key text,
  verification_code text,
  error_code text,
  error_message text,
  cancel_reason_code text,
  cancel_reason text,
  replaces_id bigint,
  replaced_by_id bigint,
  issued_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  cancel_until date,
  nbs_code text,
  agreement_id bigint,
  rate_id bigint,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint tax_invoices_pkey PRIMARY KEY (organization_id, id),
  constraint tax_invoices_agreement_id_fkey FOREIGN KEY (agreement_id) REFERENCES municipal_parameters(id),
  constraint tax_invoices_check CHECK (((declaration_xml IS NULL) OR (declaration_id IS NOT NULL))),
  constraint tax_invoices_check2 CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  constraint tax_invoices_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint tax_invoices_company_check1 CHECK ((company <> 'entity_global'::text)),
  constraint tax_invoices_currency_check CHECK ((currency = 'BRL'::text)),
  constraint tax_invoices_iss_amount_check CHECK ((iss_amount >= (0)::numeric)),
  constraint tax_invoices_iss_rate_check CHECK ((iss_rate >= (0)::numeric)),
  constraint tax_invoices_issued CHECK (((status <> 'issued'::text) OR ((nfse_number IS NOT NULL) AND (access_key IS NOT NULL) AND (issued_at IS NOT NULL)))),
  constraint tax_invoices_nbs_code_check CHECK ((nbs_code ~ '^[0-9]{9}$'::text)),
  constraint tax_invoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint tax_invoices_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint tax_invoices_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint tax_invoices_organization_id_replaced_by_id_fkey FOREIGN KEY (organization_id, replaced_by_id) REFERENCES tax_invoices(organization_id, id),
  constraint tax_invoices_organization_id_replaces_id_fkey FOREIGN KEY (organization_id, replaces_id) REFERENCES tax_invoices(organization_id, id),
  constraint tax_invoices_organization_id_series_rps_number_key UNIQUE (organization_id, series, rps_number),
  constraint tax_invoices_rate_id_fkey FOREIGN KEY (rate_id) REFERENCES municipal_parameters(id),
  constraint tax_invoices_rps_number_check CHECK ((rps_number > 0)),
  constraint tax_invoices_service_code_check CHECK ((service_code ~ '^[0-9]{6}([0-9]{3})?$'::text)),
  constraint tax_invoices_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'issued'::text, 'cancelled'::text, 'error'::text]))),
  constraint tax_invoices_substatus_check CHECK ((substatus = ANY (ARRAY['queued'::text, 'sending'::text, 'unclear'::text, 'unavailable'::text, 'refused'::text, 'undeclarable'::text, 'cancelling'::text, 'cancel_refused'::text, 'cancel_unavailable'::text, 'substituted'::text]))),
  constraint tax_invoices_total_check CHECK ((total > (0)::numeric)),
  constraint tax_invoices_total_check1 CHECK ((scale(total) = 2))
);
CREATE UNIQUE INDEX tax_invoices_access_key ON public.tax_invoices USING btree (organization_id, access_key) WHERE (access_key IS NOT NULL);
CREATE INDEX tax_invoices_created ON public.tax_invoices USING btree (organization_id, created_at, id);
CREATE INDEX tax_invoices_everywhere ON public.tax_invoices USING btree (id);
CREATE INDEX tax_invoices_everywhere_created ON public.tax_invoices USING btree (created_at, id);
CREATE INDEX tax_invoices_everywhere_issued ON public.tax_invoices USING btree (issued_at, id);
CREATE INDEX tax_invoices_everywhere_status ON public.tax_invoices USING btree (status, id);
CREATE INDEX tax_invoices_everywhere_total ON public.tax_invoices USING btree (total, id);
CREATE INDEX tax_invoices_everywhere_updated ON public.tax_invoices USING btree (updated_at, id);
CREATE UNIQUE INDEX tax_invoices_external_id ON public.tax_invoices USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX tax_invoices_invoice ON public.tax_invoices USING btree (organization_id, invoice_id, id);
CREATE INDEX tax_invoices_issued ON public.tax_invoices USING btree (organization_id, issued_at, id);
CREATE UNIQUE INDEX tax_invoices_live ON public.tax_invoices USING btree (organization_id, invoice_id, COALESCE(service_code, ''::text), COALESCE(nbs_code, ''::text), COALESCE(iss_rate, ('-1'::integer)::numeric)) WHERE ((status <> 'cancelled'::text) AND ((replaces_id IS NULL) OR (status = 'issued'::text)));
CREATE INDEX tax_invoices_number ON public.tax_invoices USING btree (organization_id, nfse_number) WHERE (nfse_number IS NOT NULL);
CREATE INDEX tax_invoices_order ON public.tax_invoices USING btree (organization_id, order_id, id);
CREATE INDEX tax_invoices_orderless ON public.tax_invoices USING btree (organization_id, id) WHERE (order_id IS NULL);
CREATE INDEX tax_invoices_status ON public.tax_invoices USING btree (organization_id, status, id);
CREATE UNIQUE INDEX tax_invoices_successor ON public.tax_invoices USING btree (organization_id, replaces_id) WHERE ((replaces_id IS NOT NULL) AND (status <> 'cancelled'::text));
CREATE INDEX tax_invoices_total ON public.tax_invoices USING btree (organization_id, total, id);
CREATE INDEX tax_invoices_updated ON public.tax_invoices USING btree (organization_id, updated_at, id);
CREATE INDEX tax_invoices_waiting ON public.tax_invoices USING btree (updated_at, organization_id, id) WHERE ((status = 'pending'::text) OR (substatus = 'cancelling'::text));
alter table tax_invoices enable row level security;
alter table tax_invoices force row level security;
create policy owner_all on tax_invoices for all to titular_owner using (true) with check (true);
create policy system_all on tax_invoices for all to titular_system using (true) with check (true);
create policy tenant on tax_invoices for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on tax_invoices to titular_app;
grant insert, select, update on tax_invoices to titular_system;

create table team_members (
  team_id bigint not null,
  user_id bigint not null,
  joined_at timestamp with time zone not null,
  constraint team_members_pkey PRIMARY KEY (team_id, user_id),
  constraint team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id),
  constraint team_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX team_members_user ON public.team_members USING btree (user_id);
grant delete, insert, select on team_members to titular_system;
grant select on team_members to titular_app;

create table teams (
  id bigint generated by default as identity not null,
  name text not null,
  default_for text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint teams_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX teams_name ON public.teams USING btree (lower(name)) WHERE (deleted_at IS NULL);
grant insert, select, update on teams to titular_system;
grant select on teams to titular_app;

create table test_clocks (
  organization_id bigint not null,
  started_at timestamp with time zone not null,
  advancing_to timestamp with time zone,
  advancing_since timestamp with time zone,
  error text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint test_clocks_pkey PRIMARY KEY (organization_id),
  constraint test_clocks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) DEFERRABLE INITIALLY DEFERRED
);
alter table test_clocks enable row level security;
alter table test_clocks force row level security;
create policy owner_all on test_clocks for all to titular_owner using (true) with check (true);
create policy system_all on test_clocks for all to titular_system using (true) with check (true);
create policy tenant on test_clocks for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on test_clocks to titular_system;

create table ticket_attachments (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_id bigint not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  internal boolean default false not null,
  uploaded_by bigint,
  storage_key text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint ticket_attachments_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_attachments_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint ticket_attachments_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, id),
  constraint ticket_attachments_size_check CHECK ((size > 0)),
  constraint ticket_attachments_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);
CREATE INDEX ticket_attachments_ticket ON public.ticket_attachments USING btree (organization_id, ticket_id, id);
alter table ticket_attachments enable row level security;
alter table ticket_attachments force row level security;
create policy internal_is_for_staff on ticket_attachments as restrictive for all to titular_app using (((NOT internal) OR (current_setting('app.staff'::text, true) = 'on'::text)));
create policy owner_all on ticket_attachments for all to titular_owner using (true) with check (true);
create policy system_all on ticket_attachments for all to titular_system using (true) with check (true);
create policy tenant on ticket_attachments for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on ticket_attachments as restrictive for all to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR ( SELECT true
   FROM tickets t
  WHERE ((t.organization_id = ticket_attachments.organization_id) AND (t.id = ticket_attachments.ticket_id))))) with check (true);
grant delete, insert, select, update on ticket_attachments to titular_app;
grant delete, insert, select, update on ticket_attachments to titular_system;

create table ticket_comments (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_id bigint not null,
  body text not null,
  internal boolean default false not null,
  by_staff boolean default false not null,
  author_id bigint,
  author_name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  message_digest text,
  constraint ticket_comments_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint ticket_comments_check CHECK ((by_staff OR (NOT internal))),
  constraint ticket_comments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_comments_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, id)
);
CREATE UNIQUE INDEX ticket_comments_message ON public.ticket_comments USING btree (organization_id, message_digest) WHERE (message_digest IS NOT NULL);
CREATE INDEX ticket_comments_ticket ON public.ticket_comments USING btree (organization_id, ticket_id, id);
alter table ticket_comments enable row level security;
alter table ticket_comments force row level security;
create policy internal_is_for_staff on ticket_comments as restrictive for all to titular_app using (((NOT internal) OR (current_setting('app.staff'::text, true) = 'on'::text)));
create policy owner_all on ticket_comments for all to titular_owner using (true) with check (true);
create policy system_all on ticket_comments for all to titular_system using (true) with check (true);
create policy tenant on ticket_comments for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on ticket_comments as restrictive for all to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR ( SELECT true
   FROM tickets t
  WHERE ((t.organization_id = ticket_comments.organization_id) AND (t.id = ticket_comments.ticket_id))))) with check (true);
grant insert, select, update on ticket_comments to titular_app;
grant insert, select, update on ticket_comments to titular_system;

create table ticket_history (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_id bigint not null,
  from_status text,
  to_status text not null,
  note text,
  changed_at timestamp with time zone not null,
  changed_by bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by_name text not null,
  constraint ticket_history_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_history_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint ticket_history_from_status_check CHECK ((from_status = ANY (ARRAY['open'::text, 'in_progress'::text, 'waiting'::text, 'resolved'::text, 'closed'::text, 'cancelled'::text]))),
  constraint ticket_history_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_history_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, id),
  constraint ticket_history_to_status_check CHECK ((to_status = ANY (ARRAY['open'::text, 'in_progress'::text, 'waiting'::text, 'resolved'::text, 'closed'::text, 'cancelled'::text])))
);
CREATE INDEX ticket_history_ticket ON public.ticket_history USING btree (organization_id, ticket_id, id);
alter table ticket_history enable row level security;
alter table ticket_history force row level security;
create policy owner_all on ticket_history for all to titular_owner using (true) with check (true);
create policy system_all on ticket_history for all to titular_system using (true) with check (true);
create policy tenant on ticket_history for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on ticket_history as restrictive for all to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR ( SELECT true
   FROM tickets t
  WHERE ((t.organization_id = ticket_history.organization_id) AND (t.id = ticket_history.ticket_id))))) with check (true);
grant insert, select on ticket_history to titular_app;
grant insert, select on ticket_history to titular_system;
grant update (changed_by_name) on ticket_history to titular_system;

create table ticket_issue_comments (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_issue_id bigint not null,
  comment_id bigint,
  tracker_comment_id text,
  created_at timestamp with time zone default now() not null,
  constraint ticket_issue_comments_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_issue_comments_check CHECK (((comment_id IS NOT NULL) OR (tracker_comment_id IS NOT NULL))),
  constraint ticket_issue_comments_organization_id_comment_id_fkey FOREIGN KEY (organization_id, comment_id) REFERENCES ticket_comments(organization_id, id),
  constraint ticket_issue_comments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_issue_comments_organization_id_ticket_issue_id_comme_key UNIQUE (organization_id, ticket_issue_id, comment_id),
  constraint ticket_issue_comments_organization_id_ticket_issue_id_fkey FOREIGN KEY (organization_id, ticket_issue_id) REFERENCES ticket_issues(organization_id, id) ON DELETE CASCADE,
  constraint ticket_issue_comments_organization_id_ticket_issue_id_track_key UNIQUE (organization_id, ticket_issue_id, tracker_comment_id)
);
CREATE INDEX ticket_issue_comments_comment ON public.ticket_issue_comments USING btree (organization_id, comment_id);
alter table ticket_issue_comments enable row level security;
alter table ticket_issue_comments force row level security;
create policy owner_all on ticket_issue_comments for all to titular_owner using (true) with check (true);
create policy system_all on ticket_issue_comments for all to titular_system using (true) with check (true);
create policy tenant on ticket_issue_comments for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select on ticket_issue_comments to titular_app;
grant insert, select on ticket_issue_comments to titular_system;

create table ticket_issues (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_id bigint not null,
  tracker text not null,
  key text,
  url text,
  status text,
  sync_state text not null,
  sync_error text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint ticket_issues_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_issues_check CHECK (((tracker = 'none'::text) = (sync_state = 'recorded'::text))),
  constraint ticket_issues_check1 CHECK (((tracker <> 'none'::text) OR (key IS NOT NULL))),
  constraint ticket_issues_check2 CHECK (((sync_state <> 'failed'::text) OR (sync_error IS NOT NULL))),
  constraint ticket_issues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_issues_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, id),
  constraint ticket_issues_organization_id_ticket_id_key UNIQUE (organization_id, ticket_id),
  constraint ticket_issues_sync_state_check CHECK ((sync_state = ANY (ARRAY['recorded'::text, 'pending'::text, 'in_sync'::text, 'failed'::text]))),
  constraint ticket_issues_tracker_check CHECK ((tracker = ANY (ARRAY['none'::text, 'jira'::text, 'github'::text, 'redmine'::text, 'jira-sandbox'::text, 'github-sandbox'::text, 'redmine-sandbox'::text])))
);
alter table ticket_issues enable row level security;
alter table ticket_issues force row level security;
create policy owner_all on ticket_issues for all to titular_owner using (true) with check (true);
create policy system_all on ticket_issues for all to titular_system using (true) with check (true);
create policy tenant on ticket_issues for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on ticket_issues as restrictive for all to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR ( SELECT true
   FROM tickets t
  WHERE ((t.organization_id = ticket_issues.organization_id) AND (t.id = ticket_issues.ticket_id))))) with check (true);
grant delete, insert, select, update on ticket_issues to titular_app;
grant delete, insert, select, update on ticket_issues to titular_system;

create table ticket_ratings (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  ticket_id bigint not null,
  requester_id bigint not null,
  company text not null,
  assignee_id bigint,
  asked_at timestamp with time zone not null,
  rating text,
  comment text,
  rated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint ticket_ratings_pkey PRIMARY KEY (organization_id, id),
  constraint ticket_ratings_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id),
  constraint ticket_ratings_check CHECK (((rating IS NULL) = (rated_at IS NULL))),
  constraint ticket_ratings_check1 CHECK (((rating IS NOT NULL) OR (comment IS NULL))),
  constraint ticket_ratings_comment_check CHECK ((char_length(comment) <= 1000)),
  constraint ticket_ratings_company_check CHECK ((company = ANY (ARRAY['entity_br'::text, 'entity_global'::text]))),
  constraint ticket_ratings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint ticket_ratings_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, id),
  constraint ticket_ratings_organization_id_ticket_id_key UNIQUE (organization_id, ticket_id),
  constraint ticket_ratings_rating_check CHECK ((rating = ANY (ARRAY['good'::text, 'bad'::text]))),
  constraint ticket_ratings_requester_id_fkey FOREIGN KEY (requester_id) REFERENCES users(id)
);
CREATE INDEX ticket_ratings_everywhere_asked ON public.ticket_ratings USING btree (asked_at);
alter table ticket_ratings enable row level security;
alter table ticket_ratings force row level security;
create policy owner_all on ticket_ratings for all to titular_owner using (true) with check (true);
create policy ratings_are_of_the_requester on ticket_ratings as restrictive for all to titular_app using (((current_setting('app.staff'::text, true) = 'on'::text) OR (requester_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::bigint)));
create policy system_all on ticket_ratings for all to titular_system using (true) with check (true);
create policy tenant on ticket_ratings for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on ticket_ratings to titular_app;
grant insert, select, update on ticket_ratings to titular_system;

create table tickets (
  id bigint generated by default as identity not null,
  organization_id bigint not null,
  number text not null,
  status text default 'open'::text not null,
  title text not null,
  description text,
  priority text default 'normal'::text not null,
  entitlement_id bigint,
  entitlement_code text,
  environment_id bigint,
  service_id bigint,
  invoice_id bigint,
  order_id bigint,
  created_by bigint,
  assignee_id bigint,
  team_id bigint,
  watcher_ids bigint[] default '{}'::bigint[] not null,
  tracker_key text,
  tracker_url text,
  first_response_due_at timestamp with time zone,
  resolution_due_at timestamp with time zone,
  first_responded_at timestamp with time zone,
  first_response_breached boolean default false not null,
  resolution_breached boolean default false not null,
  clock_stopped_at timestamp with time zone,
  paused_seconds bigint default 0 not null,
  resolved_at timestamp with time zone,
  closed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  business_hours jsonb,
  first_response_warn_at timestamp with time zone,
  resolution_warn_at timestamp with time zone,
  first_response_warned boolean default false not null,
  resolution_warned boolean default false not null,
  next_due_at timestamp with time zone generated always as (
CASE
    WHEN (clock_stopped_at IS NULL) THEN LEAST(
    CASE
        WHEN (first_responded_at IS NULL) THEN first_response_due_at
        ELSE NULL::timestamp with time zone
    END, resolution_due_at)
    ELSE NULL::timestamp with time zone
END) stored,
  entitlement_problem text,
  external_id text,
  metadata jsonb default '{}'::jsonb not null,
  constraint tickets_pkey PRIMARY KEY (organization_id, id),
  constraint tickets_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id),
  constraint tickets_check CHECK ((num_nonnulls(entitlement_id, invoice_id, order_id) <= 1)),
  constraint tickets_check1 CHECK (((entitlement_id IS NULL) = (entitlement_code IS NULL))),
  constraint tickets_check2 CHECK (((entitlement_id IS NOT NULL) OR ((environment_id IS NULL) AND (service_id IS NULL)))),
  constraint tickets_check3 CHECK (((status = ANY (ARRAY['open'::text, 'in_progress'::text])) = (clock_stopped_at IS NULL))),
  constraint tickets_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint tickets_entitlement_problem_check CHECK ((entitlement_problem = ANY (ARRAY['suspended'::text, 'expired'::text, 'cancelled'::text]))),
  constraint tickets_number_check CHECK ((number ~ '^SR-[0-9]{4}[0-9]{4,}$'::text)),
  constraint tickets_organization_id_entitlement_id_fkey FOREIGN KEY (organization_id, entitlement_id) REFERENCES entitlements(organization_id, id),
  constraint tickets_organization_id_environment_id_fkey FOREIGN KEY (organization_id, environment_id) REFERENCES environments(organization_id, id),
  constraint tickets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint tickets_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  constraint tickets_organization_id_number_key UNIQUE (organization_id, number),
  constraint tickets_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint tickets_organization_id_service_id_fkey FOREIGN KEY (organization_id, service_id) REFERENCES services(organization_id, id),
  constraint tickets_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text, 'urgent'::text]))),
  constraint tickets_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_progress'::text, 'waiting'::text, 'resolved'::text, 'closed'::text, 'cancelled'::text]))),
  constraint tickets_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX tickets_assignee ON public.tickets USING btree (organization_id, assignee_id, id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX tickets_created ON public.tickets USING btree (organization_id, created_at, id);
CREATE INDEX tickets_entitlement ON public.tickets USING btree (organization_id, entitlement_id, id) WHERE (entitlement_id IS NOT NULL);
CREATE INDEX tickets_environment ON public.tickets USING btree (organization_id, environment_id, id) WHERE (environment_id IS NOT NULL);
CREATE INDEX tickets_everywhere ON public.tickets USING btree (id);
CREATE INDEX tickets_everywhere_assignee ON public.tickets USING btree (assignee_id, id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX tickets_everywhere_created ON public.tickets USING btree (created_at, id);
CREATE INDEX tickets_everywhere_entitlement ON public.tickets USING btree (entitlement_id, id) WHERE (entitlement_id IS NOT NULL);
CREATE INDEX tickets_everywhere_invoice ON public.tickets USING btree (invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX tickets_everywhere_next_due ON public.tickets USING btree (next_due_at, id);
CREATE INDEX tickets_everywhere_order ON public.tickets USING btree (order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX tickets_everywhere_priority ON public.tickets USING btree (priority, id);
CREATE INDEX tickets_everywhere_status ON public.tickets USING btree (status, id);
CREATE INDEX tickets_everywhere_team ON public.tickets USING btree (team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX tickets_everywhere_updated ON public.tickets USING btree (updated_at, id);
CREATE UNIQUE INDEX tickets_external_id ON public.tickets USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX tickets_first_response_due ON public.tickets USING btree (first_response_due_at, organization_id, id) WHERE ((clock_stopped_at IS NULL) AND (first_responded_at IS NULL) AND (NOT first_response_breached));
CREATE INDEX tickets_first_response_warn ON public.tickets USING btree (first_response_warn_at, organization_id, id) WHERE ((clock_stopped_at IS NULL) AND (first_responded_at IS NULL) AND (NOT first_response_breached) AND (NOT first_response_warned) AND (first_response_warn_at IS NOT NULL));
CREATE INDEX tickets_in_danger ON public.tickets USING btree (id) WHERE ((clock_stopped_at IS NULL) AND (resolution_warned OR resolution_breached OR ((first_responded_at IS NULL) AND (first_response_warned OR first_response_breached))));
CREATE INDEX tickets_invoice ON public.tickets USING btree (organization_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX tickets_next_due ON public.tickets USING btree (organization_id, next_due_at, id);
CREATE INDEX tickets_order ON public.tickets USING btree (organization_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX tickets_priority ON public.tickets USING btree (organization_id, priority, id);
CREATE INDEX tickets_resolution_due ON public.tickets USING btree (resolution_due_at, organization_id, id) WHERE ((clock_stopped_at IS NULL) AND (NOT resolution_breached));
CREATE INDEX tickets_resolution_warn ON public.tickets USING btree (resolution_warn_at, organization_id, id) WHERE ((clock_stopped_at IS NULL) AND (NOT resolution_breached) AND (NOT resolution_warned) AND (resolution_warn_at IS NOT NULL));
CREATE INDEX tickets_service ON public.tickets USING btree (organization_id, service_id, id) WHERE (service_id IS NOT NULL);
CREATE INDEX tickets_status ON public.tickets USING btree (organization_id, status, id);
CREATE INDEX tickets_team ON public.tickets USING btree (organization_id, team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX tickets_unassigned ON public.tickets USING btree (next_due_at, id) WHERE ((assignee_id IS NULL) AND (status = ANY (ARRAY['open'::text, 'in_progress'::text, 'waiting'::text])));
CREATE INDEX tickets_updated ON public.tickets USING btree (organization_id, updated_at, id);
alter table tickets enable row level security;
alter table tickets force row level security;
create policy owner_all on tickets for all to titular_owner using (true) with check (true);
create policy system_all on tickets for all to titular_system using (true) with check (true);
create policy tenant on tickets for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
create policy tickets_have_readers on tickets as restrictive for all to titular_app using (((COALESCE(current_setting('app.ticket_visibility'::text, true), ''::text) <> ALL (ARRAY['own'::text, 'watched'::text])) OR (created_by = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::bigint) OR ((current_setting('app.ticket_visibility'::text, true) = 'watched'::text) AND ((NULLIF(current_setting('app.user_id'::text, true), ''::text))::bigint = ANY (watcher_ids))))) with check (true);
grant insert, select, update on tickets to titular_app;
grant insert, select, update on tickets to titular_system;

create table totp_factors (
  user_id bigint not null,
  nonce text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  constraint totp_factors_pkey PRIMARY KEY (user_id),
  constraint totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on totp_factors to titular_system;
grant select (user_id) on totp_factors to titular_app;
grant select (confirmed_at) on totp_factors to titular_app;

create table user_tokens (
  id bigint generated by default as identity not null,
  nonce text not null,
  digest bytea not null,
  user_id bigint not null,
  purpose text not null,
  email text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint user_tokens_pkey PRIMARY KEY (id),
  constraint user_tokens_digest_key UNIQUE (digest),
  constraint user_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text, 'email_change'::text]))),
  constraint user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_tokens_user_id_purpose_key UNIQUE (user_id, purpose)
);
grant delete, insert, select, update on user_tokens to titular_system;

create table users (
  id bigint generated by default as identity not null,
  email text not null,
  name text not null,
  login text not null,
  avatar text,
  phone text,
  status text default 'PENDING'::text not null,
  active_team_id bigint,
  roles text[] default '{customer}'::text[] not null,
  provider text default 'password'::text not null,
  language text default 'en'::text not null,
  password_hash text,
  disabled_at timestamp with time zone,
  registered timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  appointed_at timestamp with time zone,
  appointed_by bigint,
  last_signed_in_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_appointed_by_fkey FOREIGN KEY (appointed_by) REFERENCES users(id),
  constraint users_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PENDING'::text])))
);
CREATE INDEX users_disabled ON public.users USING btree (id) WHERE (disabled_at IS NOT NULL);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX users_email_beginning ON public.users USING btree (lower(email) COLLATE "C");
CREATE UNIQUE INDEX users_login ON public.users USING btree (login);
CREATE INDEX users_login_beginning ON public.users USING btree (login COLLATE "C");
CREATE INDEX users_name_beginning ON public.users USING btree (fold(name) COLLATE "C");
CREATE INDEX users_registered ON public.users USING btree (registered, id);
CREATE INDEX users_staff ON public.users USING btree (id) WHERE (roles <> '{customer}'::text[]);
CREATE INDEX users_status ON public.users USING btree (status, id);
CREATE INDEX users_updated ON public.users USING btree (updated_at, id);
grant insert, select, update on users to titular_system;
grant select (id) on users to titular_app;
grant select (email) on users to titular_app;
grant select (name) on users to titular_app;
grant select (login) on users to titular_app;
grant select (avatar) on users to titular_app;
grant select (status) on users to titular_app;
grant select (roles) on users to titular_app;
grant select (language) on users to titular_app;
grant select (disabled_at) on users to titular_app;
grant select (appointed_at) on users to titular_app;

create table vendor_keys (
  id bigint generated by default as identity not null,
  name text not null,
  consumer_key text not null,
  secret_digest bytea not null,
  permissions text[] not null,
  organization_ids bigint[],
  last_four text not null,
  expires_at timestamp with time zone,
  allowed_ips text[],
  last_used_at timestamp with time zone,
  secret_version integer default 1 not null,
  previous_digest bytea,
  previous_secret_ends_at timestamp with time zone,
  created_by bigint not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expiry_warned_for timestamp with time zone,
  expiry_warned_days integer,
  constraint vendor_keys_pkey PRIMARY KEY (id),
  constraint vendor_keys_allowed_ips_check CHECK ((cardinality(allowed_ips) > 0)),
  constraint vendor_keys_check CHECK (((previous_digest IS NULL) = (previous_secret_ends_at IS NULL))),
  constraint vendor_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint vendor_keys_organization_ids_check CHECK ((cardinality(organization_ids) > 0)),
  constraint vendor_keys_permissions_check CHECK ((cardinality(permissions) > 0))
);
CREATE UNIQUE INDEX vendor_keys_consumer_key ON public.vendor_keys USING btree (consumer_key);
CREATE INDEX vendor_keys_created_by ON public.vendor_keys USING btree (created_by, id) WHERE (revoked_at IS NULL);
CREATE INDEX vendor_keys_expiring ON public.vendor_keys USING btree (expires_at, id) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL));
grant insert, select, update on vendor_keys to titular_system;

create table webhook_deliveries (
  id bigint generated by default as identity not null,
  organization_id bigint,
  endpoint_id bigint not null,
  event_id bigint,
  type text not null,
  body text not null,
  state text default 'pending'::text not null,
  step integer default 0 not null,
  next_attempt_at timestamp with time zone,
  attempts_count integer default 0 not null,
  attempts jsonb default '[]'::jsonb not null,
  last_status integer,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone default now() not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((state <> 'delivered'::text) OR (delivered_at IS NOT NULL))),
  constraint webhook_deliveries_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_step_check CHECK ((step >= 0))
);
CREATE INDEX webhook_deliveries_again ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE ((state = 'pending'::text) AND (step > 0));
CREATE INDEX webhook_deliveries_first ON public.webhook_deliveries USING btree (endpoint_id, event_id) WHERE ((state = 'pending'::text) AND (step = 0) AND (event_id IS NOT NULL));
CREATE INDEX webhook_deliveries_listed ON public.webhook_deliveries USING btree (endpoint_id, id);
CREATE UNIQUE INDEX webhook_deliveries_once ON public.webhook_deliveries USING btree (organization_id, endpoint_id, event_id) NULLS NOT DISTINCT WHERE (event_id IS NOT NULL);
CREATE INDEX webhook_deliveries_state ON public.webhook_deliveries USING btree (endpoint_id, state, id);
CREATE INDEX webhook_deliveries_tests ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE ((state = 'pending'::text) AND (event_id IS NULL));
CREATE INDEX webhook_deliveries_updated ON public.webhook_deliveries USING btree (updated_at);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy owner_all on webhook_deliveries for all to titular_owner using (true) with check (true);
create policy system_all on webhook_deliveries for all to titular_system using (true) with check (true);
create policy tenant on webhook_deliveries for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant delete, insert, select, update on webhook_deliveries to titular_app;
grant delete, insert, select, update on webhook_deliveries to titular_system;

create table webhook_endpoints (
  id bigint generated by default as identity not null,
  organization_id bigint,
  user_id bigint,
  url text not null,
  description text,
  events text[] not null,
  status text default 'active'::text not null,
  disabled_reason text,
  signature text default 'v1'::text not null,
  public_key text,
  secret_nonce text not null,
  previous_secret_nonce text,
  previous_secret_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_check CHECK (((organization_id IS NULL) = (user_id IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_check2 CHECK (((signature = 'v1a'::text) = (public_key IS NOT NULL))),
  constraint webhook_endpoints_check3 CHECK (((previous_secret_nonce IS NULL) = (previous_secret_until IS NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text, 'not_a_member'::text]))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint webhook_endpoints_organization_id_id_key UNIQUE (organization_id, id),
  constraint webhook_endpoints_signature_check CHECK ((signature = ANY (ARRAY['v1'::text, 'v1a'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))),
  constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX webhook_endpoints_disabled ON public.webhook_endpoints USING btree (id) WHERE ((status = 'disabled'::text) AND (deleted_at IS NULL));
CREATE INDEX webhook_endpoints_listed ON public.webhook_endpoints USING btree (organization_id, id) WHERE (deleted_at IS NULL);
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy owner_all on webhook_endpoints for all to titular_owner using (true) with check (true);
create policy system_all on webhook_endpoints for all to titular_system using (true) with check (true);
create policy tenant on webhook_endpoints for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on webhook_endpoints to titular_app;
grant insert, select, update on webhook_endpoints to titular_system;

create table webhook_queues (
  endpoint_id bigint not null,
  organization_id bigint,
  cursor bigint not null,
  claimed_at timestamp with time zone not null,
  lease uuid,
  leased_until timestamp with time zone,
  blocked_until timestamp with time zone,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  constraint webhook_queues_pkey PRIMARY KEY (endpoint_id),
  constraint webhook_queues_check CHECK (((failures = 0) = (failing_since IS NULL))),
  constraint webhook_queues_check1 CHECK (((lease IS NULL) = (leased_until IS NULL))),
  constraint webhook_queues_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id)
) with (autovacuum_vacuum_scale_factor=0.02, fillfactor=50);
alter table webhook_queues enable row level security;
alter table webhook_queues force row level security;
create policy owner_all on webhook_queues for all to titular_owner using (true) with check (true);
create policy system_all on webhook_queues for all to titular_system using (true) with check (true);
create policy tenant on webhook_queues for all to titular_app using ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint)) with check ((organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint));
grant insert, select, update on webhook_queues to titular_app;
grant insert, select, update on webhook_queues to titular_system;

-- Views

create view access_check as
 SELECT o.id AS organization_id,
    c.user_id,
    c.role,
    c.weight,
    c.granted_scopes,
    o.hidden_scopes,
    c.started_at,
    c.expired_at,
    c.ticket_visibility,
        CASE
            WHEN o.has_test_clock THEN ( SELECT s.test_clock
               FROM event_sequences s
              WHERE (s.organization_id = o.id))
            ELSE NULL::timestamp with time zone
        END AS test_clock,
    o.require_mfa,
    o.sso_domains,
    c.email AS member_email,
    o.has_test_clock
   FROM (organizations o
     LEFT JOIN collaborators c ON (((c.organization_id = o.id) AND (c.user_id IS NOT NULL) AND (c.role <> 'pending'::text))))
  WHERE (o.deleted_at IS NULL);
grant select on access_check to titular_app;
grant select on access_check to titular_system;

create view access_check_entries with (security_barrier=true) as
 SELECT e.organization_id,
    e.user_id,
    e.reason,
    e.ends_at,
    e.id AS entry_id
   FROM (staff_entries e
     JOIN users u ON (((u.id = e.user_id) AND (u.disabled_at IS NULL))))
  WHERE (e.ended_at IS NULL);
grant select on access_check_entries to titular_app;
grant select on access_check_entries to titular_system;

create view access_check_keys with (security_barrier=true) as
 SELECT k.organization_id,
    k.consumer_key,
    k.secret_digest,
    k.permission,
    k.scopes,
    k.user_id,
    u.name AS user_name,
    u.email AS user_email,
    u.language,
    c.started_at,
    c.expired_at,
    k.id AS key_id,
    k.expires_at,
    k.allowed_ips,
    k.secret_version,
    k.previous_digest,
    k.previous_secret_ends_at
   FROM ((api_keys k
     JOIN users u ON (((u.id = k.user_id) AND (u.disabled_at IS NULL))))
     JOIN collaborators c ON (((c.organization_id = k.organization_id) AND (c.user_id = k.user_id) AND (c.role <> 'pending'::text))))
  WHERE (k.revoked_at IS NULL);
grant select on access_check_keys to titular_app;
grant select on access_check_keys to titular_system;

create view access_check_vendor_keys with (security_barrier=true) as
 SELECT k.id AS key_id,
    k.name,
    k.consumer_key,
    k.secret_digest,
    k.permissions,
    k.organization_ids,
    k.created_by,
    k.expires_at,
    k.allowed_ips,
    k.secret_version,
    k.previous_digest,
    k.previous_secret_ends_at,
    u.language
   FROM (vendor_keys k
     JOIN users u ON ((u.id = k.created_by)))
  WHERE (k.revoked_at IS NULL);
grant select on access_check_vendor_keys to titular_app;
grant select on access_check_vendor_keys to titular_system;
