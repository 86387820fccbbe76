/* Two clients and a printer: is every page that somebody waits for printed?
 *
 * A client thinks, or asks for a page and waits until it is there. The printer serves whom it likes, so one client
 * can be passed over again and again, however fair the scheduler is:
 *
 *     allways check --claim printed --fair printer.pml
 *
 * With -DREPAIRED it serves them in the order in which they asked. Then nobody waits for ever, as long as the
 * printer gets to run at all: the property holds with --fair, and is violated without by a client that
 * thinks for ever while nobody else is scheduled.
 */
bool waits[2];
bool thought;
chan asked = [2] of { byte };

active [2] proctype client()
{
    do
    :: thought = !thought
    :: atomic { waits[_pid] = true; asked!_pid };
       !waits[_pid]
    od
}

active proctype printer()
{
    byte who;

    do
#ifdef REPAIRED
    :: asked?who -> waits[who] = false
#else
    :: asked??0 -> waits[0] = false
    :: asked??1 -> waits[1] = false
#endif
    od
}

ltl printed { [] (waits[1] -> <> !waits[1]) }
