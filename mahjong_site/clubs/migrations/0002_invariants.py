"""What Django cannot say about people and clubs: foreign keys within a club, an alias never of an alias."""

from django.db import migrations

FORWARD = """
ALTER TABLE clubs_alias
    ADD CONSTRAINT clubs_alias_guest FOREIGN KEY (club_id, guest_id) REFERENCES clubs_player (club_id, id),
    ADD CONSTRAINT clubs_alias_player FOREIGN KEY (club_id, player_id) REFERENCES clubs_player (club_id, id);
CREATE INDEX clubs_alias_by_player ON clubs_alias (club_id, player_id);

CREATE FUNCTION clubs_alias_no_chain() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM clubs_club WHERE id = NEW.club_id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM clubs_alias a
               WHERE a.club_id = NEW.club_id AND (a.guest_id = NEW.player_id OR a.player_id = NEW.guest_id)) THEN
        RAISE EXCEPTION 'an alias of an alias' USING ERRCODE = 'check_violation', CONSTRAINT = 'clubs_alias_no_chain';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER clubs_alias_no_chain BEFORE INSERT OR UPDATE ON clubs_alias
    FOR EACH ROW EXECUTE FUNCTION clubs_alias_no_chain();
"""
BACK = """
DROP TRIGGER clubs_alias_no_chain ON clubs_alias;
DROP FUNCTION clubs_alias_no_chain();
DROP INDEX clubs_alias_by_player;
ALTER TABLE clubs_alias DROP CONSTRAINT clubs_alias_player, DROP CONSTRAINT clubs_alias_guest;
"""


class Migration(migrations.Migration):
    dependencies = [("clubs", "0001_tables")]
    operations = [migrations.RunSQL(FORWARD, BACK)]
