"""The ledger's invariants, held by PostgreSQL whoever asks. Every refusal carries the name of its rule as the constraint.

What is said row by row is a CHECK or a key in 0001; here stand foreign keys within a club and session, and what only a
trigger can say. The deferred ones look at the end of the transaction, when an entry has all its legs.
"""

from django.db import migrations

# Every key begins with the club: rows of one club may live on one node of a distributed database.
FOREIGN_KEYS = {
    "ledger_session": [
        ("ledger_session_creator", "(club_id, creator_id)", "clubs_player (club_id, id)"),
    ],
    "clubs_joinlink": [
        ("clubs_link_session", "(club_id, session_id)", "ledger_session (club_id, id)"),
    ],
    "ledger_occupancy": [
        ("ledger_occupancy_session", "(club_id, session_id)", "ledger_session (club_id, id)"),
        ("ledger_occupancy_player", "(club_id, player_id)", "clubs_player (club_id, id)"),
    ],
    "ledger_entry": [
        ("ledger_entry_session", "(club_id, session_id)", "ledger_session (club_id, id)"),
        ("ledger_entry_reverses", "(club_id, session_id, reverses_id)", "ledger_entry (club_id, session_id, id)"),
        ("ledger_entry_corrects", "(club_id, session_id, corrects_id)", "ledger_entry (club_id, session_id, id)"),
        # No gap in the sequence and no break in the chain: each entry names the sequence and hash before it.
        (
            "ledger_entry_follows",
            "(club_id, session_id, prev_seq, prev_hash)",
            "ledger_entry (club_id, session_id, seq, hash)",
        ),
    ],
    "ledger_leg": [
        ("ledger_leg_entry", "(club_id, session_id, entry_id)", "ledger_entry (club_id, session_id, id)"),
        ("ledger_leg_player", "(club_id, player_id)", "clubs_player (club_id, id)"),
    ],
    "ledger_settledsession": [
        ("ledger_settled_of", "(club_id, settle_up_id)", "ledger_settleup (club_id, id)"),
        ("ledger_settled_session", "(club_id, session_id)", "ledger_session (club_id, id)"),
    ],
    "ledger_transfer": [
        ("ledger_transfer_of", "(club_id, settle_up_id)", "ledger_settleup (club_id, id)"),
        ("ledger_transfer_payer", "(club_id, payer_id)", "clubs_player (club_id, id)"),
        ("ledger_transfer_payee", "(club_id, payee_id)", "clubs_player (club_id, id)"),
    ],
}
COLUMNS = """
ALTER TABLE ledger_entry
    ADD COLUMN prev_seq integer GENERATED ALWAYS AS (NULLIF(seq - 1, 0)) STORED,
    ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
    ADD CONSTRAINT ledger_entry_record_dealer CHECK (kind = 'reversal' OR (record->>'dealer')::int = dealer);
"""
COLUMNS_BACK = """
ALTER TABLE ledger_entry
    DROP CONSTRAINT ledger_entry_record_dealer, DROP COLUMN xact, DROP COLUMN prev_seq;
"""

# Trigger functions set the search path, so that nobody's temporary table stands in for a table here; the others are
# called by them.
FUNCTIONS = {
    "ledger_refuse(rule text)": """
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'refused by the ledger: %', rule USING ERRCODE = 'check_violation', CONSTRAINT = rule;
END $$""",
    # Before an entry: its session is locked and open; it belongs to a seating, a reversal to what it reverses.
    "ledger_entry_before()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    its_session record;
    original record;
BEGIN
    NEW.xact := pg_current_xact_id();
    SELECT status, genesis INTO its_session FROM ledger_session s
        WHERE s.club_id = NEW.club_id AND s.id = NEW.session_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NEW;  -- the foreign key says it
    END IF;
    IF its_session.status <> 'open' THEN
        PERFORM ledger_refuse('ledger_entry_session_open');
    END IF;
    IF NEW.seq = 1 AND NEW.prev_hash IS DISTINCT FROM its_session.genesis THEN
        PERFORM ledger_refuse('ledger_entry_follows');
    END IF;
    IF NEW.reverses_id IS NOT NULL OR NEW.corrects_id IS NOT NULL THEN
        SELECT kind, hand_no, dealer, streak, seated_at INTO original FROM ledger_entry e
            WHERE e.club_id = NEW.club_id AND e.session_id = NEW.session_id
                AND e.id = coalesce(NEW.reverses_id, NEW.corrects_id);
        IF FOUND AND (original.kind <> 'hand' OR original.hand_no <> NEW.hand_no OR original.seated_at <> NEW.seated_at)
        THEN
            PERFORM ledger_refuse('ledger_entry_of_the_same_hand');
        END IF;
    END IF;
    IF NEW.corrects_id IS NOT NULL THEN
        PERFORM FROM ledger_entry e
            WHERE e.club_id = NEW.club_id AND e.session_id = NEW.session_id AND e.reverses_id = NEW.corrects_id;
        IF NOT FOUND THEN
            PERFORM ledger_refuse('ledger_entry_corrects_reversed');
        END IF;
    END IF;
    IF NEW.seated_at <> NEW.seq THEN
        PERFORM FROM ledger_entry e
            WHERE e.club_id = NEW.club_id AND e.session_id = NEW.session_id
                AND e.hand_no = NEW.hand_no AND e.seated_at = NEW.seated_at;
        IF NOT FOUND THEN
            PERFORM ledger_refuse('ledger_entry_seats');
        END IF;
    END IF;
    IF NEW.seats IS DISTINCT FROM ledger_seats(NEW.club_id, NEW.session_id, NEW.seated_at) THEN
        PERFORM ledger_refuse('ledger_entry_seats');
    END IF;
    RETURN NEW;
END $$""",
    # The players on seats 0 to 3 at an entry.
    "ledger_seats(c uuid, s uuid, at integer)": """
RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT array_agg(player_id ORDER BY seat) FROM (
        SELECT DISTINCT ON (o.seat) o.seat, o.player_id FROM ledger_occupancy o
        WHERE o.club_id = c AND o.session_id = s AND o.from_seq <= at
        ORDER BY o.seat, o.from_seq DESC
    ) seated);
END $$""",
    # An entry at the end of its transaction: zero, and a leg for every share its settlement (or the reversed entry) moves.
    "ledger_entry_holds(c uuid, e uuid)": """
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    entry record;
    legs record;
    due integer;
BEGIN
    SELECT kind, settlement, reverses_id INTO entry FROM ledger_entry WHERE club_id = c AND id = e;
    SELECT count(*) AS n, sum(points) AS points, sum(cash) AS cash INTO legs
        FROM ledger_leg l WHERE l.club_id = c AND l.entry_id = e;
    IF legs.points <> 0 THEN
        PERFORM ledger_refuse('ledger_leg_points_zero');
    END IF;
    IF legs.cash <> 0 THEN
        PERFORM ledger_refuse('ledger_leg_cash_zero');
    END IF;
    CASE entry.kind
        WHEN 'hand' THEN
            SELECT count(*) INTO due FROM generate_series(0, 4) seat
                WHERE ledger_share(entry.settlement, seat) <> (0::bigint, 0::bigint);
        WHEN 'reversal' THEN
            SELECT count(*) INTO due FROM ledger_leg l WHERE l.club_id = c AND l.entry_id = entry.reverses_id;
        ELSE
            due := 0;
    END CASE;
    IF legs.n <> due THEN
        PERFORM ledger_refuse('ledger_entry_has_legs');
    END IF;
END $$""",
    # What a settlement gives a seat; seat 4 is the house, which takes no cash.
    "ledger_share(settlement jsonb, seat integer, OUT points bigint, OUT cash bigint)": """
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    points := CASE seat WHEN 4 THEN settlement->>'house' ELSE settlement->'deltas'->>seat END;
    cash := CASE seat WHEN 4 THEN 0 ELSE (settlement->'cash'->>seat)::numeric * 100 END;
END $$""",
    "ledger_entry_after()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM ledger_entry_holds(NEW.club_id, NEW.id);
    PERFORM ledger_session_holds(NEW.club_id, NEW.session_id);
    RETURN NULL;
END $$""",
    # A leg comes with its entry, is that of the player on the seat, and is his share, whenever it comes.
    "ledger_leg_after()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    entry record;
    sits uuid;
    share record;
BEGIN
    SELECT xact, kind, seats, settlement, reverses_id INTO entry
        FROM ledger_entry e WHERE e.club_id = NEW.club_id AND e.id = NEW.entry_id;
    IF entry.xact IS DISTINCT FROM pg_current_xact_id() THEN
        PERFORM ledger_refuse('ledger_leg_with_its_entry');
    END IF;
    IF NEW.seat < 4 THEN
        sits := entry.seats[NEW.seat + 1];
    ELSE
        SELECT id INTO sits FROM clubs_player p WHERE p.club_id = NEW.club_id AND p.is_house;
    END IF;
    IF NEW.player_id IS DISTINCT FROM sits THEN
        PERFORM ledger_refuse('ledger_leg_player_on_seat');
    END IF;
    IF entry.kind = 'reversal' THEN
        SELECT -l.points AS points, -l.cash AS cash INTO share
            FROM ledger_leg l WHERE l.club_id = NEW.club_id AND l.entry_id = entry.reverses_id AND l.seat = NEW.seat;
    ELSE
        share := ledger_share(entry.settlement, NEW.seat);
    END IF;
    IF (NEW.points, NEW.cash) IS DISTINCT FROM (share.points, share.cash) THEN
        PERFORM ledger_refuse(
            CASE entry.kind WHEN 'reversal' THEN 'ledger_leg_mirrors_reversed' ELSE 'ledger_leg_as_settled' END);
    END IF;
    RETURN NULL;
END $$""",
    # A session's state is where its last entry left it; its four seats have four players.
    "ledger_session_holds(c uuid, s uuid)": """
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM ledger_session state LEFT JOIN LATERAL (
        SELECT seq, hash FROM ledger_entry WHERE club_id = c AND session_id = s ORDER BY seq DESC LIMIT 1
    ) latest ON true
    WHERE club_id = c AND id = s
        AND (state.seq, state.head) = (coalesce(latest.seq, 0), coalesce(latest.hash, state.genesis));
    IF NOT FOUND THEN
        PERFORM ledger_refuse('ledger_session_at_last_entry');
    END IF;
END $$""",
    "ledger_session_before()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF (NEW.seq, NEW.hand_no, NEW.streak, NEW.status, NEW.head) IS DISTINCT FROM (0, 1, 0, 'open', NEW.genesis) THEN
            PERFORM ledger_refuse('ledger_session_starts_empty');
        END IF;
    ELSE
        IF (NEW.club_id, NEW.id, NEW.rules, NEW.point_value, NEW.currency, NEW.creator_id, NEW.created_at, NEW.genesis)
            IS DISTINCT FROM
            (OLD.club_id, OLD.id, OLD.rules, OLD.point_value, OLD.currency, OLD.creator_id, OLD.created_at, OLD.genesis)
        THEN
            PERFORM ledger_refuse('ledger_session_frozen');
        END IF;
        IF NEW.seq = OLD.seq AND (NEW.head, NEW.hand_no, NEW.dealer, NEW.streak)
            IS DISTINCT FROM (OLD.head, OLD.hand_no, OLD.dealer, OLD.streak) THEN
            PERFORM ledger_refuse('ledger_session_moved_by_entry');
        END IF;
    END IF;
    RETURN NEW;
END $$""",
    "ledger_session_after()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM ledger_session_holds(NEW.club_id, NEW.id);
    IF TG_OP = 'INSERT' THEN
        PERFORM ledger_seats_hold(NEW.club_id, NEW.id);
    END IF;
    RETURN NULL;
END $$""",
    "ledger_seats_hold(c uuid, s uuid)": """
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(DISTINCT player) FROM unnest(ledger_seats(c, s, 2147483647)) player) <> 4 THEN
        PERFORM ledger_refuse('ledger_occupancy_four_players');
    END IF;
END $$""",
    # A row of the seating is changed only while no entry relies on it.
    "ledger_occupancy_before()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    its_session record;
BEGIN
    SELECT seq, status INTO its_session FROM ledger_session s
        WHERE s.club_id = NEW.club_id AND s.id = NEW.session_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NEW;  -- the foreign key says it
    END IF;
    IF NEW.from_seq <> its_session.seq + 1 OR TG_OP = 'UPDATE'
        AND (NEW.club_id, NEW.session_id, NEW.seat, NEW.from_seq) <> (OLD.club_id, OLD.session_id, OLD.seat, OLD.from_seq)
    THEN
        PERFORM ledger_refuse('ledger_occupancy_frozen');
    END IF;
    IF its_session.status <> 'open' THEN
        PERFORM ledger_refuse('ledger_occupancy_session_open');
    END IF;
    IF EXISTS (SELECT FROM clubs_player p WHERE p.club_id = NEW.club_id AND p.id = NEW.player_id AND p.is_house) THEN
        PERFORM ledger_refuse('ledger_occupancy_not_the_house');
    END IF;
    RETURN NEW;
END $$""",
    "ledger_occupancy_after()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM ledger_seats_hold(NEW.club_id, NEW.session_id);
    RETURN NULL;
END $$""",
    # Named by the trigger that calls it.
    "ledger_never()": """
RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM ledger_refuse(TG_NAME::text);
    RETURN NULL;
END $$""",
}
TRIGGERS = {
    "ledger_entry_before": "BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_entry_before()",
    "ledger_session_before": "BEFORE INSERT OR UPDATE ON ledger_session FOR EACH ROW EXECUTE FUNCTION ledger_session_before()",
    "ledger_occupancy_before": "BEFORE INSERT OR UPDATE ON ledger_occupancy FOR EACH ROW EXECUTE FUNCTION ledger_occupancy_before()",
    "ledger_entry_append_only": "BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry EXECUTE FUNCTION ledger_never()",
    "ledger_leg_append_only": "BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_leg EXECUTE FUNCTION ledger_never()",
    "ledger_session_kept": "BEFORE DELETE OR TRUNCATE ON ledger_session EXECUTE FUNCTION ledger_never()",
    "ledger_occupancy_kept": "BEFORE DELETE OR TRUNCATE ON ledger_occupancy EXECUTE FUNCTION ledger_never()",
}
DEFERRED = {
    "ledger_entry_after": "AFTER INSERT ON ledger_entry",
    "ledger_leg_after": "AFTER INSERT ON ledger_leg",
    "ledger_session_after": "AFTER INSERT OR UPDATE ON ledger_session",
    "ledger_occupancy_after": "AFTER INSERT OR UPDATE ON ledger_occupancy",
}
# All of them plpgsql, which plans each of its queries once a connection.
FORWARD = [
    COLUMNS,
    *(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY {columns} REFERENCES {target}"
        for table, keys in FOREIGN_KEYS.items()
        for name, columns, target in keys
    ),
    *(f"CREATE FUNCTION {signature} {body}" for signature, body in FUNCTIONS.items()),
    *(f"CREATE TRIGGER {name} {what}" for name, what in TRIGGERS.items()),
    *(
        f"CREATE CONSTRAINT TRIGGER {name} {what} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {name}()"
        for name, what in DEFERRED.items()
    ),
]
BACK = [
    *(f"DROP TRIGGER {name} ON {'_'.join(name.split('_')[:2])}" for name in [*DEFERRED, *TRIGGERS]),
    *(f"DROP FUNCTION {signature}" for signature in reversed(FUNCTIONS)),
    *(
        f"ALTER TABLE {table} DROP CONSTRAINT {name}"
        for table, keys in FOREIGN_KEYS.items()
        for name, _, _ in reversed(keys)
    ),
    COLUMNS_BACK,
]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_tables"), ("clubs", "0002_invariants")]
    operations = [migrations.RunSQL(FORWARD, BACK)]
