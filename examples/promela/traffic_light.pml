/*
 * Traffic lights at a crossing, with properties in temporal logic.
 *
 * The road and the footpath each have a light. The controller lets the road have
 * green until a pedestrian presses the button, then changes the lights step by
 * step: road amber, road red, walk, stop, road green.
 *
 * Checked:  the assertion at the end of each change: never green for both.
 * Expected: holds.
 *
 * The ltl formulas say more. A check for safety reads them and says that it ignores
 * them; each can be checked by its name in a liveness run:
 *   exclusive  holds:    never green for both, at any time
 *   cautious   holds:    the road light never goes from green to red directly
 *   served     holds:    a pedestrian who has pressed gets green eventually
 *   flowing    violated: the road has green again and again. A pedestrian may
 *              walk for ever while the controller gets no turn; with weak
 *              fairness it holds.
 *
 * Try next: -DHURRY shows "walk" one step too early: the assertion fails.
 */

mtype = { red, amber, green };

mtype road = green, path = red;
bool  pressed;

#define both_green  (road != red && path == green)

inline set(light, colour)
{
    light = colour;
    assert(!both_green)
}

active proctype controller()
{
    do
    ::  pressed ->
        set(road, amber);
#ifdef HURRY
        set(path, green);
        set(road, red);
#else
        set(road, red);
        set(path, green);
#endif
        pressed = false;
        set(path, red);
        set(road, green)
    od
}

active proctype pedestrian()
{
    do
    ::  path == red && !pressed -> pressed = true
    ::  path == green           /* walking */
    od
}

ltl exclusive { [] !both_green }

ltl cautious  { [] (road == green -> (road == green W road == amber)) }

ltl served    { [] (pressed -> <> (path == green)) }

ltl flowing   { [] <> (road == green) }
