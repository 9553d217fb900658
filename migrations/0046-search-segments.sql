-- Lists are searched by terms, segment by segment of ids, from the newest on (docs/decisions/0051). The search over all
-- kinds reads the terms of one kind in their order.

-- Tickets that are older than their terms, and archived documents, which had none.
insert into search_terms (organization_id, resource, resource_id, field, term)
select v.organization_id, v.resource, v.id, v.field, t.term from (
  select organization_id, 'ticket' as resource, id, f.field, f.value from tickets,
         lateral (values ('number', number), ('title', title)) f (field, value)
   where not exists (select from search_terms s
          where s.organization_id = tickets.organization_id and s.resource = 'ticket' and s.resource_id = tickets.id)
  union all select organization_id, 'filed_document', id, 'file_name', file_name from filed_documents
) v, lateral search_terms_of(v.value) t (term)
on conflict do nothing;

-- Without indexes first, so that they are built once.
drop index search_terms_resource;
alter table search_terms drop constraint search_terms_pkey;
alter table search_terms add column segment bigint not null generated always as (resource_id >> 14) stored;
alter table search_terms add primary key (organization_id, resource, term, resource_id, field);
create index search_terms_segment on search_terms (organization_id, resource, segment, term, resource_id);
