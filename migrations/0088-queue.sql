-- Who has an item of the staff's queue, and until when it is snoozed; and what the queue reads (docs/decisions/0088).

create table queue_assignments (
  kind text not null,
  record_id bigint not null,
  assignee_id bigint references users (id),
  snoozed_until timestamptz,
  primary key (kind, record_id)
);
grant select, insert, update on queue_assignments to titular_system;

create index refunds_to_approve on refunds (id) where status = 'processing' and not is_approved;
create index tickets_in_danger on tickets (id)
  where clock_stopped_at is null and (resolution_warned or resolution_breached
     or first_responded_at is null and (first_response_warned or first_response_breached));
create index organizations_to_verify on organizations (id)
  where verification_requires and verification_status = 'pending' and deleted_at is null;
create index webhook_endpoints_disabled on webhook_endpoints (id) where status = 'disabled' and deleted_at is null;
create index provider_events_unreadable on provider_events (id) where event is null;
