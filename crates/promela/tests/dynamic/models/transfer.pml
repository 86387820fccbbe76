/* A simplified file transfer: a sender opens a session, sends a file of unknown length with a window of one, and closes
 * it; the line may lose messages, and the user may abort. After the protocol in Holzmann's book of 1991. */
#ifndef LENGTH
#define LENGTH 3
#endif

mtype = { connect, accept, reject, data, ack, close, abort };

chan use_to_send = [1] of { mtype, byte };
chan send_to_use = [1] of { mtype, byte };
chan to_line = [2] of { mtype, byte };
chan from_line = [2] of { mtype, byte };
chan back = [2] of { mtype, byte };

active proctype user() {
    byte sent;
    use_to_send!connect,0;
    if
    :: send_to_use?reject,_ -> goto done
    :: send_to_use?accept,_
    fi;
    do
    :: sent < LENGTH -> use_to_send!data,sent; sent++
    :: use_to_send!abort,0; break
    :: sent == LENGTH -> use_to_send!close,0; break
    od;
    send_to_use?close,_;
done: skip
}

active proctype sender() {
    byte seq, n;
    bool open;
end:
    do
    :: use_to_send?connect,_ ->
        to_line!connect,0;
        do
        :: back?accept,_ -> open = true; send_to_use!accept,0; break
        :: back?reject,_ -> send_to_use!reject,0; break
        :: timeout -> to_line!connect,0
        od
    :: open && use_to_send?[data,n] ->
        use_to_send?data,n;
        to_line!data,seq;
        do
        :: back?ack,eval(seq) -> break
        :: back?ack,eval(1 - seq)
        :: back?accept,_
        :: timeout -> to_line!data,seq
        od;
        seq = 1 - seq
    :: open && use_to_send?[close,_] -> use_to_send?close,_; open = false; to_line!close,0; send_to_use!close,0
    :: open && use_to_send?[abort,_] -> use_to_send?abort,_; open = false; to_line!abort,0; send_to_use!close,0
    :: back?ack,_
    :: back?accept,_
    od
}

active proctype line() {
    mtype m;
    byte v;
end:
    do
    :: to_line?m,v ->
        if
        :: from_line!m,v
        :: m == data -> skip
        fi
    od
}

active proctype receiver() {
    byte expected, v;
end:
    do
    :: from_line?connect,_ -> back!accept,0; expected = 0
    :: from_line?data,v ->
        if
        :: v == expected -> expected = 1 - expected
        :: else
        fi;
        back!ack,v
    :: from_line?close,_
    :: from_line?abort,_
    od
}
