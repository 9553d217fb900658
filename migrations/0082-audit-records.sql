-- The entries about a record, with and without its kind (docs/decisions/0082). In place of an index on both: what has the same
-- id is of few kinds.
drop index audit_log_resource;
create index audit_log_record on audit_log (organization_id, resource_id, id);
