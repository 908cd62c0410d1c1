CREATE TABLE meta (key text primary key, value text not null);
CREATE TABLE people (
  user_id integer primary key, first_name text not null, last_name text, username text unique collate nocase, phone text unique,
  is_bot integer not null default 0, is_deleted integer not null default 0, privacy text);
CREATE TABLE accounts (
  user_id integer primary key, dc_id integer not null, srp_salt1 blob, srp_salt2 blob, srp_verifier blob, hint text,
  created_at integer not null);
CREATE TABLE contacts (user_id integer, contact_id integer, primary key (user_id, contact_id)) without rowid;
CREATE TABLE blocks (blocker_id integer, blocked_id integer, primary key (blocker_id, blocked_id)) without rowid;
CREATE TABLE chats (chat_id integer primary key autoincrement, title text not null, created_at integer not null);
CREATE TABLE chat_members (chat_id integer, user_id integer, primary key (chat_id, user_id)) without rowid;
CREATE TABLE channels (
  channel_id integer primary key, username text unique collate nocase, title text not null, kind text not null, writers text not null,
  created_at integer not null);
CREATE TABLE channel_members (channel_id integer, user_id integer, role text not null, primary key (channel_id, user_id)) without rowid;
CREATE TABLE auth_keys (
  id text primary key, key blob not null, dc_id integer not null, first_salt blob not null, created_at integer not null,
  expires_at integer, permanent_id text, user_id integer, password_user_id integer, ended text, layer integer not null default 0,
  device_model text, system_version text, app_version text, api_id integer, session_hash text, signed_in_at integer, active_at integer);
CREATE INDEX auth_keys_of_user on auth_keys (user_id);
CREATE TABLE login_codes (phone text primary key, code text not null, hash text not null, expires_at integer not null);
CREATE TABLE login_tokens (
  token text primary key, key_id text not null, dc_id integer not null, expires_at integer not null, user_id integer);
CREATE TABLE exported_authorizations (id integer primary key, bytes blob not null, user_id integer not null, dc_id integer not null, expires_at integer not null);
CREATE TABLE boxes (owner_id integer primary key, pts integer not null default 1, last_message_id integer not null default 0);
CREATE TABLE messages (
  sequence integer primary key autoincrement, owner_id integer not null, id integer not null, peer_type text not null, peer_id integer not null,
  from_id integer, is_out integer not null, date integer not null, edit_date integer, text text not null, entities blob, file_id integer,
  reply_to integer, random_id text, is_deleted integer not null default 0, twin_owner_id integer, twin_id integer, unique (owner_id, id));
CREATE INDEX messages_of_peer on messages (owner_id, peer_type, peer_id, id);
CREATE TABLE dialogs (
  owner_id integer, peer_type text, peer_id integer, read_inbox integer not null default 0, read_outbox integer not null default 0,
  primary key (owner_id, peer_type, peer_id)) without rowid;
CREATE TABLE pinned_dialogs (owner_id integer, peer_type text, peer_id integer, primary key (owner_id, peer_type, peer_id)) without rowid;
CREATE TABLE events (
  owner_id integer, pts integer, pts_count integer not null, kind text not null, detail text not null, primary key (owner_id, pts)) without rowid;
CREATE TABLE random_ids (
  user_id integer, peer text, random_id text, owner_id integer not null, message_id integer not null,
  primary key (user_id, peer, random_id)) without rowid;
CREATE TABLE file_parts (user_id integer, file_id text, part integer, bytes blob not null, saved_at integer not null, primary key (user_id, file_id, part)) without rowid;
CREATE TABLE files (
  file_id integer primary key autoincrement, kind text not null, mime_type text not null, name text, size integer not null, width integer,
  height integer, attributes blob, dc_id integer not null, created_at integer not null, bytes blob not null);
CREATE TABLE faults (
  id integer primary key autoincrement, user_id integer not null, method text not null, error text not null, to_user_id integer,
  times integer not null, after_delivery integer not null);
CREATE TABLE flood_waits (user_id integer, method text, peer text, error text not null, until integer not null, primary key (user_id, method, peer)) without rowid;
insert into "meta" values ('server_key', '-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAz8RKPfvkvrFUSLUGVm4pkmPkvQAJMSEn6Ix7u6TLhYGlVPSv
SHqAtFA+8Ntzt35l+y/rqk/fA70ejI/zJuITvb1PNFQ+RRkkody4Z5Vl5Wdh50WD
NzwZT0xQ5Arub1+Xk0kYBeaeJjcNGY32iX+fPi3AI3FTOmkZGrNoGGiOXtapRMI5
qtMVePVkDHaSUWdFSHwybhlJkNcsaZEXyg1W7w1yLUA4zwlkvD79nl+wpfqhzuGt
tXjLP7B2fh1mH520a6br/LAG4/NjKIlS2UnS+F+a8Ros0utuffQhtMOXcuXzUHJK
zdLMB0uAu4uCcpxUQbZEnjuN7vPhj3SW3H8e5QIDAQABAoIBAEMUJcAjXnPuvr6G
q5gmEwfvdn9Kzqzs/nyHNr+bchYViHKIWTs2Se1tZxTOVWrtxTE3BIhFJ0SGv6E0
LJXmMed1gmfrtvsKJhiYMXVH99D78tD/UWD451cB1a/6k4ajv0VPORFWpsLBzVnt
yqYT7S7fCISo5u0Z14AWYkpXH3ggkzMR3UTQ8ffAoucvgt/EYFSguzzE/dbY+PeJ
ernxUTUx135qWC1pa80hgGVrc/03Yohn/6ZZFZJZ/eCeC+Rk09xfH5MelEWSiZYA
PQxYhOfMh7anQ4zJARjCczD7zjcta8b49s3DWgcg3tJFPXnXV2xqnE6QRn+gcPxi
ZlGe/NUCgYEA6IL5+vLMCgxqVKREd2NbAMSOVyPR6sDl7lxdi06wOI+VnZr+9oz5
bGgw/QSvW/+CUOkiJmm4IkfUUm9XozalFL0CnIPvQUn3aVo+ndwDSn3PnaDvCW4Q
uEZvyVb+tmzV99zfMbxwFtomxIznXAkXeIb3y9leXyJUDr6YUo6tFUsCgYEA5MFh
1gf8glXZuzBd1G0n1vv2FeEA9azPPBXb10KI6iwVZdCsyVIZJob5pUqHF7+hkGgt
/ZH9X4XVVqjv7o60dKTj7Uxrv5YmuB1S4p6FvA1pzJzsjGARjrFVeYlAn7O76GD+
bgFaShh0phNrApk6HtIVFC1IROe2431+mde+bo8CgYEAq1gaMDzM8HrFwSps6i5l
2eL/omfbQkx1JXsb1JVgd84YS9T1H2w0QxdlQpA5Smq49jdX20b9UwXsCfPTeYvD
i8zeJ8lyf4KquRCwJFUGd9bPMTJv9VsPJz2BE7bwbi82Xzp9oIFlePG6sA3GUaTB
jyinY6oEScdaeqMqTWynUJECgYAXcvNSe1MZES/Wjmiv49iXoxBgwcXVaTd9E0iL
0lgymP5Ah5mOsYm+d0uT9AXRG2W2ZdeBDLwKVK+/yGV/8MTyyAxNQO4yn3Osn+Tl
MhbHZiCYRuXApgBmviri4HztYgE7GuY55I2a1tLuS0NG6uoYSrS6csHbvlzzCOQ3
ZPQyZQKBgQCNuGKFQ8dkj5quFHJQhYYOM1CoVHtpgu94GDjD3fibLlXBkM7+cfYi
+Ad+8poB7cSPiIF5nnhVP2MY5W8Rf7jfc2THjIrGWxvFmbJUXsjhSS0vKickkdUW
QgkvCNqaF/fWHNL4c51xEEfy2tBJb5nyVDIRIirEldTgm5ASYWQtYA==
-----END RSA PRIVATE KEY-----
');
insert into "meta" values ('secret', '5ccf698cf229f6fb54d13e002f01e08322a387ae52a0aee3586eddc2c69d96c0');
insert into "meta" values ('port_2', '34781');
insert into "meta" values ('port_4', '44187');
insert into "people" values (777000, 'Telegram', null, null, '+42777', 0, 0, null);
insert into "people" values (5000000001, 'Seller', null, null, '+15550001000', 0, 0, null);
insert into "people" values (5000000002, 'Ada', null, null, null, 0, 0, null);
insert into "people" values (5000000003, 'Bob', null, null, null, 0, 0, null);
insert into "people" values (5000000004, 'Cleo', null, null, null, 0, 0, null);
insert into "accounts" values (5000000001, 2, null, null, null, null, 1795506650);
insert into "channels" values (1500000001, 'leadloom_team', 'Leadloom team', 'channel', 'everyone', 1795506648);
insert into "auth_keys" values ('10ab970028435d77', x'8decc7bd2a91dc295483da75d2aa28b898592639daf893d0130e1d1758619777098404c5d1e6ba800322b25d63f483675cc713826f403d31a5ee8687fc971f369a69d2409ac842c749455460e1231c622436a8e51a3798e320cef90b03b3fd1bb233c5c1df89fb0203f540d223f35a8956f6462347c48ae773b2f55a59e4dc7a1d601a7aac2049f784c66a79200aedf201db6347cb41f1a585f1818da2917dc7e0e01e72dfc3b2a83277c1f8fa1e5268be893a937a4bbae3b7c3e624885dee8ebcb5e1b53a925830437a9cb6524e4ba63d33929fb3a2e93b905581887d1603b41a78af6f6a25ae6b4cdd05fb6e7ccdf128f1a4c1f6837e2840bce58906851a65', 2, x'393919826df405eb', 1795506650, null, null, 5000000001, null, null, 227, 'Leadloom on vm', 'server', '1.0', 1, '-3651213257611083153', 1795506650, 1795506650);
insert into "boxes" values (-1500000001, 1, 0);
insert into "boxes" values (5000000001, 6, 5);
insert into "messages" values (1, 5000000001, 1, 'user', 5000000002, 5000000002, 0, 1795506651, null, 'hi', null, null, null, null, 0, null, null);
insert into "messages" values (2, 5000000001, 2, 'user', 5000000003, 5000000003, 0, 1795506651, null, 'hello', null, null, null, null, 0, null, null);
insert into "messages" values (3, 5000000001, 3, 'user', 5000000004, 5000000004, 0, 1795506651, null, 'hello', null, null, null, null, 0, null, null);
insert into "messages" values (4, 5000000001, 4, 'user', 5000000003, 5000000003, 0, 1795506651, null, 'what is the price?', null, null, null, null, 0, null, null);
insert into "messages" values (5, 5000000001, 5, 'user', 5000000004, 5000000001, 1, 1795506652, null, 'Hello Cleo', null, null, null, '7543209550108121565', 0, null, null);
insert into "events" values (5000000001, 2, 1, 'new', '{"ids":[1]}');
insert into "events" values (5000000001, 3, 1, 'new', '{"ids":[2]}');
insert into "events" values (5000000001, 4, 1, 'new', '{"ids":[3]}');
insert into "events" values (5000000001, 5, 1, 'new', '{"ids":[4]}');
insert into "events" values (5000000001, 6, 1, 'new', '{"ids":[5]}');
insert into "random_ids" values (5000000001, 'user:5000000004', '7543209550108121565', 5000000001, 5);
