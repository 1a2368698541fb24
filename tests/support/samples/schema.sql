-- People who buy.
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE INDEX users_name ON users (name);

CREATE VIEW active_users AS SELECT * FROM users WHERE id > 0;

CREATE FUNCTION total(a integer) RETURNS integer AS $$ SELECT a; $$ LANGUAGE sql;

SELECT name FROM users;
