-- The list of collaborators tells who has a second factor, and no more of it.
grant select (user_id, confirmed_at) on totp_factors to titular_app;
grant select (user_id) on passkeys to titular_app;
