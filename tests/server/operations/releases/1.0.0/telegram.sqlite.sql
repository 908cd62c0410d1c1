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
MIIEowIBAAKCAQEAtQq3uCAGy+2ZCqj2v958kIliiWOhFkS08w+TbtuOv6N+31UK
QW5y3uo0LIs+u+NAGh7RVQ7bB5ER0EACcKZUE5o3Izszz2T8EMbigctfMqbcFiK1
aYyj74i5kIy0ATBhHt0TSNChSjqX/cdP8cZhAqUyq/ydJ27i11vslZUEYyuQNqU4
kxbx1fBBkqGj682l6HFaGZQ5NjWREnSIkJKDpmDPOiPrM8n042gL5wFkG0gTve2K
HeOb77Wx3qkywsEJXE+fqmfjKA1yEfTZGWB2jbLOuqi9AF77oIlMbCYryc33dCJO
u3bcJHAKHuXVY8tDuwVBRlWKdqk7GExzODDe/wIDAQABAoIBAD3++hP0767k4dwr
KThiLaDnUxV+RxsTky2K/29eg18v01ISUo0+j9qzNAOu+WAo/XoUZJXunOXV8VYx
nURLSQ5faJNJgj/6snDiUo2lAagcSNDRuPL4pOjxlq4f6MJheViy1xg/zYPYVdUj
bEZ8qxrXTGdl/cETsV2TToyYt6RnopNDNUkB7KFFwG2d3YEoxjUQbb6x6HOZFjC0
Q+KIu/9SlG5MYV/hFmjUzD5jXYV6mQITsSrwGpaqF4Yv3qPFJC4i56OvCCLtovVd
WAbQzvzcQvZRg/Hv7EcUsPE7oo1Lf2h/1oI+WPpHumxqvszs2mirKwMBF2fQKAPU
t9KQK0ECgYEA30z0zEGAvbt7cW0ErLnbO6ENeDbp75YbGpmXFRAw9mercS9IVpnl
zfhrJULqrr+BNHko9fWtiJLEixuElftTkp1gwEWkNHT6EEkV5jk0zdUnPHbo6mip
8B3VM2UEjhNzHlCstYNkJKXHRRHJ8NwF51UoYFQ07W0LvVZmu8jcqcECgYEAz42T
MTvquLq9+wQCvKG0APAOooYy6ZQ4/Xm7g7l0Sv+iCocpQ/CVlWC6VEm3UDWXPh72
ic3GJRSmBfJy4g6x442o7wDDeqlcDormOM3UgD9GedSA5K89v7SteFbdZ7OJa51r
YLg26I9p52DyrU62M/i0DR3/TO75Pq1fpLlsOL8CgYEAyG2CrHN+4s4NFtoLgB2y
Met085oWj/3jhhSmDznhOMoEkCsoetLX+fAn++H8U62Ag2Dc6ygBArz5vQKOFzDm
6opn9SyNHqiAa22uQl7GjpnsBdGVbhFTtzqPyvm5BO1gPq2a17F/iYVjPxOgdpiG
lAVToGL0vsdJ6kBLJfI8XgECgYBdNo8JiIhFCJEz/7we7VyDI0zfTvfkkU37AMXn
Rc3ltOMYaVVuDsmPOc7U9fpfCoJvQsakYwb/NkPN3fIcdk8MDF33YNdp6k/OtDDr
B/3Mzx4erwJoMg/AXiueJRzwauBntV45JOJ8FZSRdqfmj7gipSpvza4P5i+IJ6MR
vrjMzwKBgB83r4k5kmNloYNU8YJcy3QzqSYwkWsb4JAqHfNFYIyjooZwv8/IPaGs
RcM/y5MMmOVpyj3GHT1Q+B/BZRReWvM/yvgoqVioeuz6iafq/hkoLzML88/AGTuP
wZrbx0OayzelK1cvYg67UDMizo4h4Bmx0ouHCBXUh9ENitkpNRBo
-----END RSA PRIVATE KEY-----
');
insert into "meta" values ('secret', '1f12c7637c4b3f20d04cf4e8936ac7e0089e593f93df614ffeef915716943ed3');
insert into "meta" values ('port_2', '39917');
insert into "meta" values ('port_4', '36425');
insert into "people" values (777000, 'Telegram', null, null, '+42777', 0, 0, null);
insert into "people" values (5000000001, 'Seller', null, null, '+15550001000', 0, 0, null);
insert into "people" values (5000000002, 'Ada', null, null, null, 0, 0, null);
insert into "people" values (5000000003, 'Bob', null, null, null, 0, 0, null);
insert into "people" values (5000000004, 'Cleo', null, null, null, 0, 0, null);
insert into "accounts" values (5000000001, 2, null, null, null, null, 1795550689);
insert into "channels" values (1500000001, 'leadloom_team', 'Leadloom team', 'channel', 'everyone', 1795550688);
insert into "auth_keys" values ('fbad9896579e3a7b', x'0b0f42e678945bc3dfaa5c270c60b5951e9d5b8642caa831ac29f58376d66892ead7984fbb258593a977a1ce554f2ffaebd5f0650d1072f402ae3e2d34ab5169082880ca7903c1fe4cdd9c5a1fa61b2d9f84c0efed844604aba0c0e024a6e8b7e64975e959cb815c08a135a7874097b8a65d0cfef290d09fe4664e07c8855bbaaf549c0271063a498c7e049f42ff556f023dad401253f242899b1ef959acb6ad0c2885fe7a551e336331d11e2f44b03e325b16ce293747cc3b491ff9be8e4b948c716e131e76ce7c9a30c01c9e7d0add4f08210c6c9814a9069e99cc79cd4012242934ee0bc5a044b48a9ee6e0b9e682e51b4ccfe1bc3294fbe159ff72f4b791', 2, x'65ab9d1f890bf1bc', 1795550689, null, null, 5000000001, null, null, 227, 'Leadloom on vm', 'server', '1.0', 1, '8495379117934836818', 1795550690, 1795550690);
insert into "boxes" values (-1500000001, 1, 0);
insert into "boxes" values (5000000001, 6, 5);
insert into "messages" values (1, 5000000001, 1, 'user', 5000000002, 5000000002, 0, 1795550690, null, 'hi', null, null, null, null, 0, null, null);
insert into "messages" values (2, 5000000001, 2, 'user', 5000000003, 5000000003, 0, 1795550690, null, 'hello', null, null, null, null, 0, null, null);
insert into "messages" values (3, 5000000001, 3, 'user', 5000000004, 5000000004, 0, 1795550690, null, 'hello', null, null, null, null, 0, null, null);
insert into "messages" values (4, 5000000001, 4, 'user', 5000000003, 5000000003, 0, 1795550690, null, 'what is the price?', null, null, null, null, 0, null, null);
insert into "messages" values (5, 5000000001, 5, 'user', 5000000004, 5000000001, 1, 1795550690, null, 'Hello Cleo', null, null, null, '7308938189864156391', 0, null, null);
insert into "events" values (5000000001, 2, 1, 'new', '{"ids":[1]}');
insert into "events" values (5000000001, 3, 1, 'new', '{"ids":[2]}');
insert into "events" values (5000000001, 4, 1, 'new', '{"ids":[3]}');
insert into "events" values (5000000001, 5, 1, 'new', '{"ids":[4]}');
insert into "events" values (5000000001, 6, 1, 'new', '{"ids":[5]}');
insert into "random_ids" values (5000000001, 'user:5000000004', '7308938189864156391', 5000000001, 5);
