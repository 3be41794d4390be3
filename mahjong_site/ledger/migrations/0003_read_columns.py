"""What statistics ask of an entry, as columns that PostgreSQL computes from its record and settlement, and two indexes.

Statistics over a hundred thousand entries then read one narrow index, no JSON of a whole settlement. Being generated,
the columns cannot say anything else than the entry. The functions are plpgsql, which keeps its plans: SQL
functions would be planned anew by every INSERT.
"""

from django.db import migrations

FORWARD = [
    # Who won what: [{"seat", "size", "points", "patterns": [id]}], in seat order.
    """
    CREATE FUNCTION ledger_wins(settlement jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN RETURN (
        SELECT jsonb_agg(jsonb_build_object(
            'seat', win->'seat',
            'size', win->'size',
            'points', (
                SELECT coalesce(sum((transfer->>'points')::bigint), 0)
                FROM jsonb_path_query(settlement, '$.transfers[*]') transfer WHERE transfer->'to' = win->'seat'
            ),
            'patterns', jsonb_path_query_array(win, '$.patterns[*].id')
        ) ORDER BY (win->>'seat')::int)
        FROM jsonb_path_query(settlement, '$.wins[*]') win
    ); END $$
    """,
    # The seats that won the hand; an opening win does not.
    """
    CREATE FUNCTION ledger_winners(settlement jsonb) RETURNS smallint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN RETURN (
        SELECT array_agg(seat::text::smallint ORDER BY seat::text::smallint)
        FROM jsonb_path_query(settlement, '$.wins[*] ? (@.size != "opening").seat') seat
    ); END $$
    """,
    # Who paid whom: payer, payee, points, payer, payee, points, …; the house is seat 4.
    """
    CREATE FUNCTION ledger_flows(settlement jsonb) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN RETURN (
        SELECT array_agg(number ORDER BY place, part)
        FROM jsonb_path_query(settlement, '$.transfers[*]') WITH ORDINALITY listed(transfer, place),
        LATERAL (VALUES
            (1, (transfer->>'from')::bigint),
            (2, CASE transfer->>'to' WHEN 'house' THEN 4 ELSE (transfer->>'to')::bigint END),
            (3, (transfer->>'points')::bigint)
        ) parts(part, number)
    ); END $$
    """,
    """
    ALTER TABLE ledger_entry
        ADD COLUMN played boolean GENERATED ALWAYS AS (record->>'kind' IN ('win', 'opening', 'exhausted')) STORED,
        ADD COLUMN giver smallint GENERATED ALWAYS AS ((record->>'from')::smallint) STORED,
        ADD COLUMN winners smallint[] GENERATED ALWAYS AS (ledger_winners(settlement)) STORED,
        ADD COLUMN wins jsonb GENERATED ALWAYS AS (ledger_wins(settlement)) STORED,
        ADD COLUMN flows bigint[] GENERATED ALWAYS AS (ledger_flows(settlement)) STORED
    """,
    """
    CREATE INDEX ledger_entry_read ON ledger_entry (club_id, session_id, hand_no)
        INCLUDE (id, seq, seats, played, giver, winners, wins, flows) WHERE kind = 'hand'
    """,
    """
    CREATE INDEX ledger_leg_read ON ledger_leg (club_id, session_id, player_id) INCLUDE (points, cash)
    """,
]
BACK = [
    "DROP INDEX ledger_leg_read",
    "DROP INDEX ledger_entry_read",
    "ALTER TABLE ledger_entry DROP COLUMN flows, DROP COLUMN wins, DROP COLUMN winners, DROP COLUMN giver,"
    " DROP COLUMN played",
    "DROP FUNCTION ledger_flows(jsonb)",
    "DROP FUNCTION ledger_winners(jsonb)",
    "DROP FUNCTION ledger_wins(jsonb)",
]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_invariants")]
    operations = [migrations.RunSQL(FORWARD, BACK)]
