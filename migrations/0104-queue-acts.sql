-- Dead letters are named so in the queue, and events that cannot be read are set aside (docs/decisions/0104).

update queue_assignments set kind = 'dead-letters' where kind = 'parked-jobs';

alter table provider_events
  add column set_aside_at timestamptz,
  add column set_aside_reason text,
  add constraint provider_events_set_aside check ((set_aside_at is null) = (set_aside_reason is null));
grant update (set_aside_at, set_aside_reason) on provider_events to titular_system;

drop index provider_events_unreadable;
create index provider_events_unreadable on provider_events (id) where event is null and set_aside_at is null;
