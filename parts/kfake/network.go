package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// network makes the listeners of the brokers. It sees each request of a client before the broker does, and each response before the client does.
type network struct {
	tls       *tls.Config
	faults    *faults
	listeners []*listener
}

// listener accepts connections from the port, and from dial.
type listener struct {
	net.Listener
	of       *network
	accepted chan net.Conn
}

func (n *network) listen(protocol, address string) (net.Listener, error) {
	inner, err := net.Listen(protocol, address)
	if err != nil {
		return nil, err
	}
	made := &listener{inner, n, make(chan net.Conn)}
	n.listeners = append(n.listeners, made)
	go made.accept()
	return made, nil
}

func (l *listener) accept() {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return
		}
		if l.of.tls != nil {
			raw = tls.Server(raw, l.of.tls)
		}
		l.accepted <- &connection{Conn: raw, faults: l.of.faults}
	}
}

func (l *listener) Accept() (net.Conn, error) { return <-l.accepted, nil }

// dial connects our own client: without TLS, and neither counted nor disturbed.
func (n *network) dial(_ context.Context, _, address string) (net.Conn, error) {
	for _, each := range n.listeners {
		if each.Addr().String() == address {
			client, broker := net.Pipe()
			each.accepted <- broker
			return client, nil
		}
	}
	return nil, fmt.Errorf("no broker listens on %s", address)
}

// connection is a client's. Requests are read frame by frame; a fault ends or blocks the connection at one of them.
type connection struct {
	net.Conn
	faults *faults
	frame  []byte // what the broker has not read yet
	marked atomic.Pointer[mark]
}

// mark remembers a request until its response.
type mark struct {
	id    uint32
	lost  bool                          // the response does not reach the client
	login *kmsg.SASLAuthenticateRequest // the broker may close the connection and not respond
}

func (c *connection) Read(into []byte) (int, error) {
	if len(c.frame) == 0 {
		frame, err := readFrame(c.Conn)
		if err != nil {
			return 0, err
		}
		request, id, err := parsed(frame[4:])
		if err != nil {
			return 0, err
		}
		switch c.faults.take(request) {
		case hang: // until the client gives up
			_, err := io.Copy(io.Discard, c.Conn)
			return 0, fmt.Errorf("left unanswered: %w", err)
		case closeBefore:
			return 0, io.EOF
		case closeAfter:
			c.marked.Store(&mark{id: id, lost: true})
		}
		if login, is := request.(*kmsg.SASLAuthenticateRequest); is {
			c.marked.Store(&mark{id: id, login: login})
		}
		c.frame = frame
	}
	n := copy(into, c.frame)
	c.frame = c.frame[n:]
	return n, nil
}

// Write gets one whole response at a time.
func (c *connection) Write(response []byte) (int, error) {
	if marked := c.marked.Load(); marked != nil && len(response) >= 8 && binary.BigEndian.Uint32(response[4:]) == marked.id {
		c.marked.Store(nil)
		if marked.lost {
			c.Conn.Close()
			return 0, io.ErrClosedPipe
		}
	}
	return c.Conn.Write(response)
}

// Close tells a client first that its login has failed, as Kafka does.
func (c *connection) Close() error {
	if marked := c.marked.Swap(nil); marked != nil && marked.login != nil {
		response := marked.login.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		response.ErrorCode = kerr.SaslAuthenticationFailed.Code
		response.ErrorMessage = kmsg.StringPtr("Authentication failed: invalid credentials")
		head := binary.BigEndian.AppendUint32(make([]byte, 4), marked.id)
		if response.IsFlexible() {
			head = append(head, 0)
		}
		frame := response.AppendTo(head)
		binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
		c.Conn.Write(frame)
	}
	return c.Conn.Close()
}

func readFrame(from io.Reader) ([]byte, error) {
	size := make([]byte, 4)
	if _, err := io.ReadFull(from, size); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(size)
	if length > 100<<20 {
		return nil, fmt.Errorf("a request of %d bytes", length)
	}
	frame := append(size, make([]byte, length)...)
	_, err := io.ReadFull(from, frame[4:])
	return frame, err
}

// parsed returns the request and its correlation id.
func parsed(body []byte) (kmsg.Request, uint32, error) {
	reader := kbin.Reader{Src: body}
	request := kmsg.RequestForKey(reader.Int16())
	if request == nil {
		return nil, 0, fmt.Errorf("an unknown request")
	}
	request.SetVersion(reader.Int16())
	id := reader.Int32()
	reader.NullableString() // the client's id
	if request.IsFlexible() {
		kmsg.SkipTags(&reader)
	}
	return request, uint32(id), request.ReadFrom(reader.Src)
}
