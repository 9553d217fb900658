-- From when on all entries of the audit logs are there, for answers that are read from them (docs/decisions/0108). What `audit verify`
-- believes is the signed text alone.
alter table audit_beginning add column removed_before timestamptz;
update audit_beginning set removed_before = (convert_from(decode(
    rpad(translate(split_part(jws, '.', 2), '-_', '+/'), ceil(length(split_part(jws, '.', 2)) / 4.0)::integer * 4, '='),
    'base64'), 'UTF8')::jsonb ->> 'removed_before')::timestamptz;
grant select (removed_before) on audit_beginning to titular_app, titular_system;
