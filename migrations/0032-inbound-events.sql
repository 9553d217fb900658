-- Stored events of other systems are listed with the state of their job, replayed, and removed after INBOUND_EVENT_DAYS.

create index provider_events_received on provider_events (received_at, id);
create index jobs_provider_event on jobs ((payload ->> 'provider_event_id'), id) where payload ? 'provider_event_id';
grant delete on provider_events to titular_system;
