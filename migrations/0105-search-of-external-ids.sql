-- The search finds payments, credit notes, refunds, affiliates and organizations by their external ids, and license keys in any
-- case (docs/decisions/0105).

insert into search_terms (organization_id, resource, resource_id, field, term)
select v.organization_id, v.resource, v.id, v.field, t.term from (
  select organization_id, 'payment' as resource, id, f.field, f.value from payments,
         lateral (values ('reference', reference), ('external_id', external_id)) f (field, value)
  union all
  select organization_id, 'credit_note', id, f.field, f.value from credit_notes,
         lateral (values ('number', number), ('external_id', external_id)) f (field, value)
  union all
  select organization_id, 'refund', id, f.field, f.value from refunds,
         lateral (values ('provider_reference', provider_reference), ('external_id', external_id)) f (field, value)
  union all
  select organization_id, 'affiliate', id, f.field, f.value from affiliates,
         lateral (values ('code', code), ('external_id', external_id)) f (field, value)
  union all
  select id, 'organization', id, 'external_id', external_id from organizations
) v, lateral search_terms_of(v.value) t (term)
 where v.value is not null
on conflict do nothing;

drop index licenses_key_beginning;
create index licenses_key_beginning on licenses (lower(license_key) collate "C");
-- Keys of this service are in capitals; only those that were brought along have small letters.
create index licenses_key_with_small_letters on licenses (organization_id) where license_key <> upper(license_key);
