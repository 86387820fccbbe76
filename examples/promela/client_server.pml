/*
 * A server that starts an agent for every client: channels sent over channels.
 *
 * A client has a private channel, a local variable, and sends it to the server.
 * The server starts an agent and gives it that channel, so that the two talk
 * directly from then on, and no answer can reach the wrong client. When the talk
 * is over the agent ends. There is a limit to the number of agents; beyond it the
 * server says that it is busy.
 *
 * Processes come and go here: `run` starts one and yields its number, and a
 * process that has ended disappears when all processes started after it are gone.
 *
 * Checked:  a client gets the sum that it asked for; never more agents than allowed;
 *           every client is served (no deadlock).
 * Expected: holds.
 *
 * Try next: -DSHARED gives all clients the same channel to be answered on: answers
 *           go astray. -DCLIENTS=4 for more states.
 */

#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef AGENTS
#define AGENTS 2
#endif

mtype = { hello, busy, ready, number, sum };

chan door = [0] of { mtype, chan };
byte agents;            /* how many agents there are */

#ifdef SHARED
chan me = [0] of { mtype, byte };
#endif

proctype agent(chan client)
{
    byte a, b;

    assert(agents <= AGENTS);
    client!ready(_pid);
    client?number(a);
    client?number(b);
    client!sum(a + b);
    agents--
}

active proctype server()
{
    chan client;
    pid  who;

end:
    do
    ::  door?hello(client) ->
        if
        ::  agents == AGENTS -> client!busy(0)
        ::  agents < AGENTS ->
            agents++;
            who = run agent(client);
            assert(who > _pid);
            who = 0
        fi
    od
}

active [CLIENTS] proctype client()
{
    byte mine = _pid;           /* 1, 2, ...: the server is process 0 */
    byte answer;
#ifndef SHARED
    chan me = [0] of { mtype, byte };
#endif

again:
    door!hello(me);
    if
    ::  me?busy(_) -> goto again
    ::  me?ready(_)
    fi;

    me!number(mine);
    me!number(10);
    me?sum(answer);
    assert(answer == mine + 10)
}
